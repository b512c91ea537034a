import assert from 'node:assert/strict';
import { renderHistory, withHistoryNote } from '../../../src/core/compaction/archive.ts';
import { callSummary } from '../../../src/core/compaction/callSummary.ts';
import type { ToolCallBlock, ToolMessage } from '../../../src/core/conversation/message.ts';
import { assistant, call, result, user } from '../conversation/support.ts';

describe('history.md', () => {
  const section = { generationId: 2, at: Date.UTC(2026, 11, 1, 3, 4, 5), results: [] };

  it('keeps what was said and done, and leaves out tool output, reasoning and what only the model is told', () => {
    const asked = user(
      [
        { kind: 'mode_notice', mode: 'plan', text: 'mode notice' },
        { kind: 'skill_activation', name: 'review', body: 'skill body' },
        { kind: 'skill_deactivation', name: 'old', body: 'off body' },
        { kind: 'sub_agent_result', agentId: 'a7', sequence: 1, text: 'report body' },
        { kind: 'text', text: 'Fix the parser.\n\n# Look-alike heading' },
      ],
      3,
    );
    const answer = assistant(
      [
        { type: 'thinking', thinking: 'secret reasoning', signature: 's' },
        { type: 'text', text: 'I will read it.' },
        call('a', { path: 'src/a.ts' }),
        call('b', { command: 'npm test' }, 'bash'),
      ],
      { turn: 3 },
    );
    const results = [
      result('a', 'tool output'),
      result('b', 'tool output', { status: 'error', detail: { title: 'npm test', exitCode: 1 } }),
    ];
    const cut = assistant([{ type: 'text', text: 'And th' }], { turn: 3, incomplete: true });
    const messages = [asked, answer, ...results, cut];
    assert.equal(
      renderHistory({ ...section, messages, results: messages }),
      [
        '## Compacted into generation 2, 2026-12-01T03:04:05.000Z',
        `### User, turn 3 (${asked.id})`,
        '_Skill switched on: review_',
        '_Skill switched off: old_',
        '_Result of sub-agent a7_',
        'Fix the parser.\n\n# Look-alike heading',
        `### Assistant, turn 3 (${answer.id})`,
        'I will read it.',
        `- ✓ read path \`src/a.ts\` [${results[0]?.id}]`,
        `- ✗ bash \`npm test\` (exit code 1) [${results[1]?.id}]`,
        `### Assistant, turn 3 (${cut.id})`,
        'And th',
        '_cut off here_',
        '',
      ].join('\n\n'),
    );
  });

  it('begins with the summary that stood before, without its note', () => {
    const earlierSummary = withHistoryNote('What came before.', '/h/history.md', []);
    const text = renderHistory({ ...section, earlierSummary, messages: [user('x')] });
    assert.match(text, /### Summary of what came before\n\nWhat came before\.\n\n### User/);
  });

  it('A17: holds no lone surrogate', () => {
    assert.ok(renderHistory({ ...section, messages: [user('cut \ud83d')] }).isWellFormed());
  });

  it('the note is one line, and names the history tool only where the model has it', () => {
    const tool = { name: 'history', description: '', inputSchema: {} };
    const [without, having] = [[], [tool]].map((tools) => withHistoryNote('Text.', '/h/history.md', tools));
    assert.match(without ?? '', /^Text\.\n\n\[History\] .*\/h\/history\.md[^\n]*$/);
    assert.doesNotMatch(without ?? '', /`history`/);
    assert.match(having ?? '', /^Text\.\n\n\[History\] .*\/h\/history\.md.* The `history` tool[^\n]*$/);
  });

  it('a summary without an archive has no note', () => {
    assert.equal(withHistoryNote('Text.', undefined, []), 'Text.');
  });
});

describe('callSummary', () => {
  const callOf = (input: unknown, name = 'grep') => call('a', input, name) as ToolCallBlock;
  /** Without the id at its end, which another test checks. */
  const lineOf = (block: ToolCallBlock, answer: ToolMessage) =>
    callSummary(block, answer).replace(/ \[tool_\d+\]$/, '');
  const ended = (change: Partial<ToolMessage>) => lineOf(callOf({}), result('a', '', change));

  it('names the id under which history has the result', () => {
    const answer = result('a');
    assert.equal(callSummary(callOf({}), answer), `- ✓ grep [${answer.id}]`);
  });

  it('marks how a call ended; no result counts as interrupted', () => {
    assert.deepEqual(
      [
        ended({ status: 'ok' }),
        ended({ status: 'error' }),
        ended({ status: 'denied' }),
        ended({ status: 'interrupted' }),
      ],
      ['- ✓ grep', '- ✗ grep', '- ⊘ denied grep', '- … interrupted grep'],
    );
    assert.equal(callSummary(callOf({}), undefined), '- … interrupted grep');
  });

  it('names the main arguments in their order, on one line, cut on a code point', () => {
    const input = { limit: 5, other: 'x', pattern: `a\n b${'📁'.repeat(40)}`, cwd: '/w' };
    const line = lineOf(callOf(input), result('a'));
    assert.equal(line, `- ✓ grep cwd \`/w\`, pattern \`a b${'📁'.repeat(37)}…\`, limit \`5\``);
    const long = lineOf(callOf({ command: 'x'.repeat(100) }, 'bash'), result('a'));
    assert.equal(long, `- ✓ bash command \`${'x'.repeat(80)}…\``);
  });

  it('fences back ticks', () => {
    assert.equal(lineOf(callOf({ command: 'echo `id`' }, 'bash'), result('a')), '- ✓ bash command `` echo `id` ``');
  });

  it('prefers the title of the tool, and shows an exit code other than 0', () => {
    const detail = { title: 'src/a.ts, lines 1-40', exitCode: 0 };
    assert.equal(lineOf(callOf({ path: 'x' }), result('a', '', { detail })), '- ✓ grep `src/a.ts, lines 1-40`');
  });
});

import assert from 'node:assert/strict';
import { fill } from '../../../src/core/platform/templates.ts';
import { isSummaryInstruction } from '../../../src/core/providers/offline/summary.ts';
import { estimateText } from '../../../src/core/tokens/estimate.ts';
import earlierMessages from '../../../templates/compaction/earlier-messages.md';
import emergency from '../../../templates/compaction/emergency.md';
import normal from '../../../templates/compaction/normal.md';
import { Conversation } from './conversation.ts';
import { MemoryWorkspace } from './memoryTools.ts';

const INSTRUCTION = fill(normal, { focus: 'The user asks that the summary pay special attention to this:\ntests' });

const place = () => new MemoryWorkspace({ 'README.md': '# Demo\n', 'src/a.ts': 'export const answer = 42;\n' });

async function summaryOf(talk: Conversation): Promise<string> {
  const messages = structuredClone(talk.messages);
  messages.push({ role: 'user', content: [{ type: 'text', text: INSTRUCTION }] });
  return (await talk.call(messages)).text;
}

function section(summary: string, number: number): string {
  const [, rest = ''] = summary.split(new RegExp(`^## ${number}\\. .*$`, 'm'));
  return rest.split(/^## /m)[0]?.trim() ?? '';
}

describe("the built-in model's summary", () => {
  it('extracts requests, files, commands, problems and preferences into eight sections', async () => {
    const talk = new Conversation(place().run);
    await talk.ask('Never touch the README. Where is answer defined?');
    await talk.ask('replace 42 with 43 in src/a.ts');
    await talk.ask('run npm test');
    await talk.ask('run false');
    await talk.ask('read gone.ts');
    const summary = await summaryOf(talk);
    assert.match(
      section(summary, 1),
      /Never touch the README.*\n.*replace 42.*\n.*npm test.*\n.*run false.*\n.*gone\.ts/,
    );
    assert.match(section(summary, 2), /Read: `src\/a\.ts`/);
    assert.match(
      section(summary, 3),
      /Changed: `src\/a\.ts`[\s\S]*Ran `npm test`: exit code 0[\s\S]*Ran `false`: exit code 1/,
    );
    assert.match(section(summary, 4), /`src\/a\.ts:1`: `export const answer = 42;`/);
    assert.match(section(summary, 5), /bash `false`[\s\S]*read `gone\.ts`: There is no file/);
    assert.match(section(summary, 6), /Every request so far was answered/);
    assert.match(section(summary, 7), /^- `npm test`: exit code 0$/);
    assert.match(section(summary, 8), /Never touch the README/);
    assert.doesNotMatch(summary, /Write a summary/);
  });

  it('names the open request when it is asked in the middle of a turn', async () => {
    const talk = new Conversation(place().run);
    await talk.ask('hello');
    talk.messages.push(
      { role: 'user', content: [{ type: 'text', text: 'read src/a.ts' }] },
      { role: 'assistant', content: [{ type: 'tool_call', callId: 'c', name: 'read', input: { path: 'src/a.ts' } }] },
      { role: 'user', content: [{ type: 'tool_result', callId: 'c', content: '1\tx', isError: false }] },
    );
    const messages = structuredClone(talk.messages);
    messages.at(-1)?.content.push({ type: 'text', text: INSTRUCTION } as never);
    const { text } = await talk.call(messages);
    assert.match(section(text, 6), /Still open: read src\/a\.ts/);
    assert.match(section(text, 2), /src\/a\.ts/);
  });

  it('carries an earlier summary on, its own and that of another model', async () => {
    const talk = new Conversation(place().run);
    await talk.ask('Always be brief. read src/a.ts');
    await talk.ask('read src/a.ts');
    const first = await summaryOf(talk);
    const later = new Conversation(place().run);
    later.system = [
      { source: 'preamble', text: 'p' },
      { source: 'conversation_summary', text: first },
    ];
    await later.ask('run npm test');
    const second = await summaryOf(later);
    assert.match(section(second, 1), /Always be brief[\s\S]*run npm test/);
    assert.match(section(second, 2), /src\/a\.ts/);
    assert.match(section(second, 8), /Always be brief/);
    later.system = [{ source: 'conversation_summary', text: 'They agreed to use tabs.' }];
    assert.match(section(await summaryOf(later), 4), /Earlier summary: They agreed to use tabs\./);
    assert.doesNotMatch((await later.ask('hello')).answer, /I am Steiner's built-in/);
  });

  it('stays short however long the conversation was, and keeps the first and the newest requests', async () => {
    const talk = new Conversation(place().run);
    for (let turn = 0; turn < 60; turn++) {
      talk.messages.push(
        { role: 'user', content: [{ type: 'text', text: `request ${turn} ${'with many words '.repeat(20)}` }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      );
    }
    const summary = await summaryOf(talk);
    assert.ok(estimateText(summary, { provider: 'offline', model: 'offline' }) <= 1_500);
    assert.match(section(summary, 1), /request 0 [\s\S]*earlier entries left out[\s\S]*request 59 /);
  });

  it('is asked for by the instructions of both stages, and by nothing a user would type', () => {
    for (const template of [normal, emergency]) {
      assert.ok(isSummaryInstruction(fill(template, { focus: 'x' })));
      assert.ok(isSummaryInstruction(fill(template, { focus: '' })));
    }
    assert.ok(
      !isSummaryInstruction('Write a summary with 8 sections:\n1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n8. h'),
    );
  });

  it('goes on after a compaction in the middle of a turn: the active request is found among the quoted ones', async () => {
    const talk = new Conversation(place().run);
    const quotes = [
      '<earlier-message id="m1" turn="1" status="done">\nrun rm -rf old\n</earlier-message>',
      '<earlier-message id="m2" turn="2" status="active">\nread src/a.ts\n</earlier-message>',
    ];
    const { answer, calls } = await talk.ask(
      'Session date: 2026-12-01 UTC (UTC+00:00), recorded when the session started.',
      fill(earlierMessages, { messages: quotes.join('\n\n') }),
      'Note from Steiner: today is 2026-12-02. The session began on another day.',
    );
    assert.deepEqual(calls, [{ name: 'read', input: { path: 'src/a.ts' } }]);
    assert.match(answer, /answer = 42/);
    assert.match(section(await summaryOf(talk), 1), /rm -rf old[\s\S]*read src\/a\.ts/);
  });
});

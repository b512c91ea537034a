import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { Prompt, pointerOf } from '../../bench/context/presence.ts';
import { commonSymbols, type Reference, referencesOf } from '../../bench/context/references.ts';
import { sessionsOf } from '../../bench/context/sessions.ts';
import { parseTrace } from '../../bench/context/trace.ts';

const say = (text: string) => ({ role: 'user', kind: 'text', text, tok: 10 });
const use = (input: unknown) => ({ role: 'assistant', kind: 'tool_use', name: 'bash', input, tok: 10 });
const give = (text: string) => ({ role: 'tool', kind: 'tool_result', text, tok: 10 });

function referencesIn(events: unknown[], common = new Set<string>()) {
  const [session] = sessionsOf([parseTrace({ id: 'pi-x', repo: 'r', events })]);
  assert.ok(session);
  const short = (reference: Reference) => `${reference.kind} ${reference.text}${reference.old ? ' (old)' : ''}`;
  return referencesOf(session, common).map((references) => references.map(short));
}

describe('bench references', () => {
  it('are the lines, symbols and paths that a call takes from earlier results', () => {
    const read = '  12\tconst total = addEverything(parts);\n  13\t}\nsee lib/utils/sums.ts';
    const edit = {
      path: 'lib/utils/sums.ts',
      old: '    const total = addEverything(parts);',
      by: 'brand_new_name(parts)',
    };
    assert.deepEqual(referencesIn([say('fix it'), use({ command: 'cat sums' }), give(read), use(edit), give('ok')]), [
      [],
      ['line const total = addEverything(parts);', 'symbol addEverything', 'path utils/sums.ts'],
    ]);
  });

  it('leave out what the user said, what is common, and lines that are too short or too long', () => {
    const long = `${'word '.repeat(50)}`.trim();
    const text = `userSaid commonName ownName\nshort line here\n${long}`;
    const events = [say('look at userSaid'), use({ command: 'cat' }), give(text), use({ text })];
    assert.deepEqual(referencesIn(events, new Set(['commonName'])), [
      [],
      ['line userSaid commonName ownName', 'symbol ownName'],
    ]);
  });

  it('are old when the newest holder lies more than six calls back, and at most 12, 15 and 6 a call', () => {
    const filler = Array.from({ length: 5 }, () => [use({ command: 'ls' }), give('nothing')]).flat();
    const start = [say('go'), use({ command: 'cat' }), give('some_symbol')];
    assert.deepEqual(referencesIn([...start, ...filler, use({ q: 'some_symbol' })]).at(-1), ['symbol some_symbol']);
    assert.deepEqual(referencesIn([...start, ...filler, ...filler.slice(0, 2), use({ q: 'some_symbol' })]).at(-1), [
      'symbol some_symbol (old)',
    ]);
    const many = (word: string) =>
      Array.from({ length: 20 }, (_, index) => `a_dir${index}/my_file${index}.ts is ${word}${index}`).join('\n');
    const kinds = referencesIn([say('go'), use({}), give(many('here')), use({ text: many('here') })])[1] ?? [];
    const count = (kind: string) => kinds.filter((each) => each.startsWith(kind)).length;
    assert.deepEqual([count('line'), count('symbol'), count('path')], [12, 15, 6]);
  });

  it('count a symbol as common from three repositories on', () => {
    const trace = (repo: string, text: string) => parseTrace({ id: repo, repo, events: [use({}), give(text)] });
    const common = commonSymbols([
      trace('a', 'everyWhere some_where'),
      trace('b', 'everyWhere some_where'),
      trace('c', 'everyWhere'),
    ]);
    assert.deepEqual([...common], ['everyWhere']);
  });
});

describe('bench presence', () => {
  const reference: Reference = {
    kind: 'line',
    text: 'const total = addEverything(parts);',
    holders: ['call-1'],
    old: true,
  };
  const pointers = new Map([
    ['call-1', pointerOf('tool-000003', 'call-1', { command: 'cd /x && cat lib/utils/sums.ts' })],
  ]);

  function promptOf(result: string | undefined, carried: string[] = [], summary = false): Prompt {
    const system = summary ? [{ source: 'conversation_summary', text: 'what was done' }] : [];
    const content =
      result === undefined ? [] : [{ type: 'tool_result' as const, callId: 'call-1', content: result, isError: false }];
    const request: ModelRequest = {
      model: 'm',
      system,
      tools: [],
      messages: [{ role: 'user', content }],
      maxOutputTokens: 1,
      breakpoints: [],
      cacheKey: 'k',
    };
    return new Prompt(
      request,
      carried.map((text) => ({ kind: 'ledger', text })),
    );
  }
  const find = (prompt: Prompt, again: string[] = []) => prompt.find(reference, pointers, again);

  it('is full where a result or a carried text holds the line', () => {
    assert.equal(find(promptOf(' 4: const total = addEverything(parts);')), 'full');
    assert.equal(find(promptOf(undefined, ['const total = addEverything(parts);'])), 'full');
  });

  it('is a stub where only a shortened result, an id, a path or a command tells of the holder', () => {
    assert.equal(find(promptOf('[cut]')), 'stub');
    for (const pointer of ['see tool-000003', 'files read: lib/utils/sums.ts', '- ran `cat lib/utils/sums.ts`']) {
      assert.equal(find(promptOf(undefined, [pointer])), 'stub', pointer);
    }
  });

  it('is gone otherwise: a summary keeps no line, and few symbols', () => {
    assert.equal(find(promptOf(undefined, ['other/file.ts, tool-000004'], true)), 'gone');
    const symbols = Array.from({ length: 2_000 }, (_, index) => `symbol_number_${index}`);
    const prompt = promptOf(undefined, [], true);
    const kept = symbols.filter((text) => prompt.find({ ...reference, kind: 'symbol', text }, pointers, []) === 'full');
    assert.ok(kept.length > 60 && kept.length < 140, `${kept.length} of 2,000`);
    const without = promptOf(undefined);
    assert.ok(symbols.every((text) => without.find({ ...reference, kind: 'symbol', text }, pointers, []) === 'gone'));
  });

  it('is full again after a forced re-read', () => {
    const prompt = promptOf('const total = addEverything(parts);');
    assert.equal(prompt.find({ ...reference, holders: ['call-0'] }, pointers, []), 'gone');
    assert.equal(prompt.find({ ...reference, holders: ['call-0'] }, pointers, ['call-1']), 'full');
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { ToolMessage } from '../../../src/core/conversation/message.ts';
import { takeIn } from '../../../src/core/intake/takeIn.ts';
import { utf8Length, utf8Page, wellFormed } from '../../../src/core/platform/text.ts';
import { toolDefinitions } from '../../../src/core/tools/definition.ts';
import { historyTool } from '../../../src/core/tools/history.ts';
import { READ_PAGE_BYTES } from '../../../src/core/tools/readPage.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { assistant, call, generation, lineageOf, result, says, user } from '../conversation/support.ts';
import { contextOver, MemoryFiles, runTool } from './memoryFiles.ts';

function look(lineage: Lineage, input: Record<string, unknown>, files = new MemoryFiles()) {
  return runTool(historyTool, input, contextOver(files, lineage));
}

const idsIn = (content: string) => [...content.matchAll(/^(\S+) · turn/gm)].map(([, id]) => id);

/** All pages of one message, put together. */
async function readAll(lineage: Lineage, id: string, files?: MemoryFiles): Promise<string> {
  let whole = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { status, content }: { status: string; content: string } = await look(
      lineage,
      { action: 'read', id, offset },
      files,
    );
    assert.equal(status, 'ok', content);
    const end = content.indexOf('\n');
    whole += content.slice(end + 1);
    assert.ok(utf8Length(content.slice(end + 1)) <= READ_PAGE_BYTES);
    const next = /Read on with offset (\d+)/.exec(content.slice(0, end))?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  return whole;
}

describe('history', () => {
  const talk = () => {
    const lineage = lineageOf([
      user('Find the Needle please', 1),
      assistant([{ type: 'text', text: 'Looking.' }, call('a', { path: 'x.ts' })], { turn: 1 }),
      result('a', 'alpha needle\nomega', { turn: 1 }),
    ]);
    lineage.addGeneration(generation({ id: 2, kind: 'summary', retained: [] }));
    lineage.append(user('the needle again', 2));
    return lineage;
  };

  it('search finds text of archived and active messages and of tool results, newest first, in any case', async () => {
    const lineage = talk();
    const { content } = await look(lineage, { action: 'search', query: 'NEEDLE' });
    const [first, , third, fourth] = lineage.messages;
    assert.deepEqual(idsIn(content), [fourth?.id, third?.id, first?.id]);
    assert.match(content, /turn 1, ok result of read \(path x\.ts\), byte 6\n {2}alpha needle omega/);
    assert.match(content, /\[Hits 1-3 of 3, newest first\. Read one with its id\.\]/);
  });

  it('search takes the query as plain text whose white space matches any white space', async () => {
    const lineage = lineageOf([says('first a.b\n\t c'), says('second axb c')]);
    const { content } = await look(lineage, { action: 'search', query: ' a.b c ' });
    assert.deepEqual(idsIn(content), [lineage.messages[0]?.id]);
  });

  it('search is bounded and pages through the hits', async () => {
    const lineage = lineageOf(Array.from({ length: 60 }, (_, n) => says(`needle ${n} ${'x'.repeat(5_000)}`)));
    const ids = lineage.messages.map(({ id }) => id).reverse();
    const first = await look(lineage, { action: 'search', query: 'needle' });
    assert.deepEqual(idsIn(first.content), ids.slice(0, 10));
    assert.match(first.content, /Hits 1-10 of 60, newest first\. Go on with offset 10\./);
    assert.ok(utf8Length(first.content) < 4_000);
    const last = await look(lineage, { action: 'search', query: 'needle', limit: 50, offset: 50 });
    assert.deepEqual(idsIn(last.content), ids.slice(50));
    assert.ok(!historyTool.input.safeParse({ action: 'search', query: 'x', limit: 51 }).success);
    assert.equal((await look(lineage, { action: 'search', query: 'needle', offset: 60 })).status, 'error');
  });

  it('its own calls and results are no hits, but can be read', async () => {
    const own = result('h', 'needle', { name: 'history' });
    const lineage = lineageOf([assistant([call('h', { action: 'search', query: 'needle' }, 'history')]), own]);
    assert.match((await look(lineage, { action: 'search', query: 'needle' })).content, /^\[Nothing in this session/);
    assert.equal(await readAll(lineage, own.id), 'needle');
  });

  it('arguments of calls are found, reasoning is not', async () => {
    const lineage = lineageOf([
      assistant([
        { type: 'thinking', thinking: 'secret plan', signature: 's' },
        call('a', { command: 'make all' }, 'bash'),
      ]),
    ]);
    assert.equal(idsIn((await look(lineage, { action: 'search', query: 'make all' })).content).length, 1);
    assert.equal(idsIn((await look(lineage, { action: 'search', query: 'secret plan' })).content).length, 0);
  });

  it('read gives a message or a tool result by its id, and a result by the id of its call', async () => {
    const lineage = talk();
    const [question, answer, output] = lineage.messages;
    assert.equal(await readAll(lineage, question?.id ?? ''), 'Find the Needle please');
    assert.equal(await readAll(lineage, answer?.id ?? ''), 'Looking.\n\n[Calls read {"path":"x.ts"}]');
    assert.equal(await readAll(lineage, output?.id ?? ''), 'alpha needle\nomega');
    assert.equal(await readAll(lineage, 'a'), 'alpha needle\nomega');
  });

  it('ids stay the same over compactions', async () => {
    const lineage = talk();
    const id = lineage.messages[2]?.id ?? '';
    const before = await readAll(lineage, id);
    for (let n = 0; n < 3; n++) {
      lineage.addGeneration(
        generation({ id: lineage.nextGenerationId, kind: 'summary', retained: n === 1 ? [id] : [] }),
      );
    }
    assert.equal(await readAll(lineage, id), before);
  });

  it('a saved result is searched and read as a whole; one outside the session folder is never opened', async () => {
    const files = new MemoryFiles();
    files.texts.set(
      '/session/results/a.txt',
      `${'filler\n'.repeat(9_000)}needle in the middle\n${'filler\n'.repeat(9_000)}`,
    );
    files.texts.set('/w/.env', 'needle in a secret');
    const saved = (callId: string, savedTo: string) => result(callId, 'its beginning', { detail: { savedTo } });
    const lineage = lineageOf([
      saved('a', '/session/results/a.txt'),
      saved('b', '/w/.env'),
      saved('c', '/session/gone'),
    ]);
    const { content } = await look(lineage, { action: 'search', query: 'needle' }, files);
    assert.deepEqual(idsIn(content), [lineage.messages[0]?.id]);
    assert.equal(await readAll(lineage, 'a', files), files.texts.get('/session/results/a.txt'));
    assert.equal(await readAll(lineage, 'b', files), 'its beginning');
    assert.equal(await readAll(lineage, 'c', files), 'its beginning');
    const place = Number(/byte (\d+)/.exec(content)?.[1]);
    const there = await look(lineage, { action: 'read', id: 'a', offset: place }, files);
    assert.match(there.content, /\]\nneedle in the middle\n/);
  });

  it('says what is missing or does not exist', async () => {
    const lineage = talk();
    for (const [input, message] of [
      [{ action: 'search' }, /needs a `query`/],
      [{ action: 'search', query: ' \n' }, /needs a `query`/],
      [{ action: 'read' }, /needs an `id`/],
      [{ action: 'read', id: 'tool_none' }, /has the id "tool_none"/],
      [{ action: 'read', id: 'a', offset: 99 }, /has 18 bytes; byte 99 does not exist/],
    ] as const) {
      const { status, content } = await look(lineage, input);
      assert.equal(status, 'error');
      assert.match(content, message);
    }
  });

  it('runs unasked, only reads, and its arguments are one object', async () => {
    const need = await historyTool.approval({ action: 'search' }, contextOver(new MemoryFiles()));
    assert.deepEqual([need, historyTool.effect], [undefined, 'read']);
    const [definition] = toolDefinitions([historyTool as Tool]);
    assert.equal(definition?.inputSchema.type, 'object');
  });

  it('property: every tool result ever stored is found with one search and read with one id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stored, { minLength: 1, maxLength: 8 }), async (outputs) => {
        const { lineage, files, wholes } = await store(outputs);
        for (const [index, { at }] of outputs.entries()) {
          const whole = wholes[index] ?? '';
          const message = lineage.messages.find((each) => each.role === 'tool' && each.callId === `call_${index}`);
          assert.ok(message);
          assert.equal(await readAll(lineage, message.id, files), whole);
          const points = Array.from(whole);
          const start = Math.floor(at * points.length);
          const query = points.slice(start, start + 24).join('');
          if (query.trim() === '') continue;
          const { content } = await look(lineage, { action: 'search', query, limit: 50 }, files);
          assert.ok(idsIn(content).includes(message.id), `${JSON.stringify(query)} is not found`);
          assert.ok(content.isWellFormed());
        }
      }),
      { numRuns: 300 },
    );
  });

  it('A17: pages never split a code point, and together they are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (given, size) => {
        const text = wellFormed(given);
        const bytes = Buffer.from(text);
        let whole = '';
        for (let offset = 0; offset < bytes.length; ) {
          const page = utf8Page(bytes, offset, size);
          assert.equal(page.start, offset);
          assert.ok(page.end > offset && utf8Length(page.text) <= Math.max(size, 4));
          whole += page.text;
          offset = page.end;
        }
        assert.equal(whole, text);
      }),
      { numRuns: 1_000 },
    );
  });
});

interface Stored {
  unit: string;
  /** How often it is repeated: some results are saved, most are not. */
  times: number;
  compactAfter: boolean;
  /** Where the search text is taken from, as a share of the whole. */
  at: number;
}

const stored: fc.Arbitrary<Stored> = fc.record({
  unit: fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.lorem({ maxCount: 6 }),
    fc.constant('cut \ud83d'),
  ),
  times: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.constantFrom(3_000, 20_000)),
  compactAfter: fc.boolean(),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

/** Takes the outputs in as the agent does, with compactions between them. `wholes`: the outputs in full. */
async function store(outputs: readonly Stored[]) {
  const files = new MemoryFiles();
  const lineage = lineageOf([user('begin')]);
  const wholes: string[] = [];
  for (const [index, { unit, times, compactAfter }] of outputs.entries()) {
    const callId = `call_${index}`;
    const whole = `${index}: ${unit.repeat(Math.min(times, Math.ceil(120_000 / unit.length)))}`;
    wholes.push(wellFormed(whole));
    const made = call(callId, {}, 'bash');
    assert.ok(made.type === 'tool_call');
    const taken = await takeIn(made, { status: 'ok', content: whole }, (id, text) => {
      const path = `/session/results/${id}.txt`;
      files.texts.set(path, text);
      return Promise.resolve(path);
    });
    const detail: Partial<ToolMessage> = taken.detail ? { detail: taken.detail } : {};
    lineage.append(assistant([made]));
    lineage.append(result(callId, taken.content, { name: 'bash', ...detail }));
    if (compactAfter) {
      const retained = lineage.messages.slice(-1).map(({ id }) => id);
      lineage.addGeneration(generation({ id: lineage.nextGenerationId, kind: 'summary', retained }));
    }
  }
  return { lineage, files, wholes };
}

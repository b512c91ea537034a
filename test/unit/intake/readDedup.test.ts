import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { ToolCallBlock, ToolDetail, ToolMessage } from '../../../src/core/conversation/message.ts';
import { isReadNote, readNote } from '../../../src/core/conversation/readNote.ts';
import { dedupRead } from '../../../src/core/intake/readDedup.ts';
import { historyTool } from '../../../src/core/tools/history.ts';
import { readTool } from '../../../src/core/tools/read.ts';
import type { ToolOutcome } from '../../../src/core/tools/tool.ts';
import { assistant, call, generation, lineageOf, result, user } from '../conversation/support.ts';
import { contextOver, MemoryFiles, runTool } from '../tools/memoryFiles.ts';

const text = 'line of text\n'.repeat(60);
const full: ToolDetail = { path: '/w/a.ts', fileHash: 'h1', lines: { start: 1, end: 60, total: 60 } };

function outcome(change: Partial<ToolDetail> = {}): ToolOutcome {
  return { status: 'ok', content: text, detail: { ...full, ...change } };
}

/** A conversation with one read, and what becomes of the same read made again. */
function again(options: { earlier?: Partial<ToolMessage>; fresh?: ToolOutcome; tool?: string } = {}): ToolOutcome {
  const { earlier, fresh = outcome(), tool = 'read' } = options;
  const lineage = lineageOf([
    assistant([call('a', {}, earlier?.name)]),
    result('a', text, { turn: 4, detail: full, ...earlier }),
    assistant([call('b', {}, tool)]),
  ]);
  return dedupRead(call('b', {}, tool) as ToolCallBlock, fresh, lineage.view());
}

const isNote = ({ content }: ToolOutcome) => isReadNote(content);

describe('read dedup', () => {
  it('a fresh read of what stands in the conversation becomes a note with turn, range, lines and path', () => {
    const { content, status, detail } = again();
    assert.equal(status, 'ok');
    assert.match(content, /lines 1-60 of 60 of \/w\/a\.ts .* turn 4 /);
    assert.deepEqual(detail, { ...full, sameAs: { turn: 4, id: detail?.sameAs?.id } });
    assert.ok(content.includes(detail?.sameAs?.id ?? 'no id'));
    assert.ok(isReadNote(content));
  });

  for (const [what, change] of [
    ['another path', { path: '/w/b.ts' }],
    ['another first line', { lines: { start: 2, end: 60, total: 60 } }],
    ['another last line', { lines: { start: 1, end: 59, total: 60 } }],
    ['another number of lines', { lines: { start: 1, end: 60, total: 61 } }],
    ['another hash', { fileHash: 'h2' }],
  ] as const) {
    it(`${what} is read in full`, () => {
      assert.ok(!isNote(again({ fresh: outcome(change) })));
    });
  }

  it('reads without hash or without total lines, and reads that end inside a line, are left as they are', () => {
    for (const key of ['fileHash', 'lines', 'path'] as const) {
      const { [key]: _, ...detail } = full;
      assert.ok(!isNote(again({ fresh: { status: 'ok', content: text, detail } })), `fresh without ${key}`);
      assert.ok(!isNote(again({ earlier: { detail } })), `earlier without ${key}`);
    }
    const empty = { ...full, lines: { start: 1, end: 0, total: 0 } };
    assert.ok(!isNote(again({ fresh: outcome(empty), earlier: { detail: empty } })));
  });

  it('only a whole read result of a turn counts as the earlier copy', () => {
    assert.ok(isNote(again({ earlier: {} })));
    assert.ok(!isNote(again({ earlier: { status: 'error' } })));
    assert.ok(!isNote(again({ earlier: { name: 'grep' } })));
    assert.ok(!isNote(again({ earlier: { turn: 0 } })));
    assert.ok(!isNote(again({ earlier: { detail: { ...full, savedTo: '/session/x' } } })));
    assert.ok(!isNote(again({ earlier: { detail: { ...full, sameAs: { turn: 1, id: 'tool_0' } } } })));
  });

  it('output of other tools passes unchanged, and so does a failed read', () => {
    const fresh = outcome();
    assert.equal(again({ tool: 'bash', fresh }), fresh);
    const failed: ToolOutcome = { ...outcome(), status: 'error' };
    assert.equal(again({ fresh: failed }), failed);
  });

  it('a text that is shorter than the note is kept', () => {
    assert.ok(!isNote(again({ fresh: { ...outcome(), content: 'x' } })));
  });

  it('points at the most recent copy', () => {
    const [first, second] = [
      result('a', text, { turn: 1, detail: full }),
      result('b', text, { turn: 2, detail: full }),
    ] as const;
    const lineage = lineageOf([assistant([call('a')]), first, assistant([call('b')]), second, assistant([call('c')])]);
    assert.equal(dedupRead(call('c') as ToolCallBlock, outcome(), lineage.view()).detail?.sameAs?.id, second.id);
  });

  it('a copy that is not in the active generation, or is not sent there, does not count', () => {
    const copy = result('a', text, { turn: 1, detail: full });
    const lineage = lineageOf([assistant([call('a')]), copy]);
    lineage.addGeneration(generation({ id: 2, kind: 'summary', retained: [] }));
    lineage.append(assistant([call('b')]));
    assert.ok(!isNote(dedupRead(call('b') as ToolCallBlock, outcome(), lineage.view())), 'dropped');
    lineage.addGeneration(generation({ id: 3, kind: 'summary', retained: [copy.id] }));
    lineage.append(assistant([call('c')]));
    assert.ok(!isNote(dedupRead(call('c') as ToolCallBlock, outcome(), lineage.view())), 'kept without its call');
  });

  it('the note is recognised whatever the path, and nothing else is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), fc.nat(), (path, start, turn) => {
        const note = readNote({ path, turn, id: 'tool_1', lines: { start, end: start, total: start } });
        assert.ok(isReadNote(note));
        assert.ok(isReadNote(`\n${note}\n`));
        assert.ok(!isReadNote(`${note}\nx`));
        assert.ok(!isReadNote(`x${note}`));
      }),
    );
    assert.ok(!isReadNote(text));
  });

  it('property: over random reads, writes and compactions every note is true when it is made, and stays findable', async () => {
    let notes = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { minLength: 4, maxLength: 30 }), async (script) => {
        notes += await playReads(script);
      }),
      { numRuns: 1_000 },
    );
    assert.ok(notes > 500, `only ${notes} notes were made`);
  });
});

type Move =
  | { kind: 'read'; path: string; offset?: number | undefined; limit?: number | undefined }
  | { kind: 'write'; path: string; version: number }
  | { kind: 'compact'; keep: number };

const path = fc.constantFrom('a.ts', 'b.ts');
const moves: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      path,
      offset: fc.constantFrom(undefined, 1, 2),
      limit: fc.constantFrom(undefined, 30, 500),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), path, version: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const), keep: fc.nat(6) }) },
);

/** Both versions have the same size and the same number of lines. */
const versionOf = (version: number) => `version ${version} of the line\n`.repeat(40);

/** Returns how many notes were made. */
async function playReads(script: readonly Move[]): Promise<number> {
  const files = new MemoryFiles();
  for (const name of ['a.ts', 'b.ts']) files.texts.set(`/w/${name}`, versionOf(0));
  const lineage = lineageOf([user('begin')]);
  const context = contextOver(files, lineage);
  let notes = 0;
  for (const [index, move] of script.entries()) {
    if (move.kind === 'write') files.texts.set(`/w/${move.path}`, versionOf(move.version));
    if (move.kind === 'compact') compactTo(lineage, move.keep);
    if (move.kind !== 'read') continue;
    const { kind: _, ...input } = move;
    const made = call(`call_${index}`, input) as ToolCallBlock;
    const whole = await runTool(readTool, input, context);
    lineage.append(assistant([made]));
    const taken = dedupRead(made, whole, lineage.view());
    if (taken !== whole) {
      notes += 1;
      const { generation: _active, retained, appended } = lineage.view();
      const target = [...retained, ...appended].find(({ id }) => id === taken.detail?.sameAs?.id);
      assert.ok(target?.role === 'tool', 'the text stands in the active generation');
      assert.equal(unpadded(target.content), unpadded(whole.content));
      assert.equal(target.turn, taken.detail?.sameAs?.turn);
    }
    lineage.append(
      result(made.callId, taken.content, { turn: index + 1, ...(taken.detail ? { detail: taken.detail } : {}) }),
    );
    const looked = await runTool(historyTool, { action: 'read', id: taken.detail?.sameAs?.id ?? made.callId }, context);
    assert.ok(unpadded(looked.content).includes(unpadded(whole.content)), 'history has the text of the read');
  }
  return notes;
}

/** Line numbers are padded to the width of the last one that was asked for. */
function unpadded(content: string): string {
  return content.replace(/^ +/gm, '');
}

function compactTo(lineage: Lineage, keep: number): void {
  const retained = lineage.messages.slice(lineage.messages.length - keep).map(({ id }) => id);
  lineage.addGeneration(generation({ id: lineage.nextGenerationId, kind: 'summary', summary: 's', retained }));
}

import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ToolCallBlock } from '../../../src/core/conversation/message.ts';
import { takeIn } from '../../../src/core/intake/takeIn.ts';
import type { ToolOutcome } from '../../../src/core/tools/tool.ts';
import { ToolBench } from '../tools/toolBench.ts';

const PERSIST_BYTES = 30 * 1024;
const FOLDER = '\u{1f4c1}';
const call: ToolCallBlock = { type: 'tool_call', callId: 'call_1', name: 'bash', input: {} };

describe('takeIn', () => {
  let folder = '';
  const saves: [callId: string, text: string][] = [];
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'steiner-intake-')));
  });
  beforeEach(() => {
    saves.length = 0;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const save = async (callId: string, text: string) => {
    saves.push([callId, text]);
    const path = join(folder, `${callId}.txt`);
    await writeFile(path, text);
    return path;
  };
  const fullDisk = () => Promise.reject(new Error('no space left'));
  const take = (content: string, saver = save) => takeIn(call, { status: 'ok', content }, saver);

  it('a result of 30 KB is kept as it is, one byte more is saved whole', async () => {
    const outcome: ToolOutcome = { status: 'error', content: 'é'.repeat(PERSIST_BYTES / 2), detail: { exitCode: 1 } };
    assert.equal(await takeIn(call, outcome, save), outcome);
    assert.equal(saves.length, 0);
    const larger = await takeIn(call, { ...outcome, content: `${outcome.content}x` }, save);
    assert.deepEqual(saves, [['call_1', `${outcome.content}x`]]);
    assert.equal(larger.status, 'error');
    assert.deepEqual(larger.detail, { exitCode: 1, savedTo: join(folder, 'call_1.txt') });
  });

  it('the model gets size, lines, the way to the rest, the first 200 lines and the last ones', async () => {
    const content = Array.from({ length: 5_000 }, (_, index) => `row ${index + 1}\n`).join('');
    const taken = await take(`${content}[Exit code 1.]`);
    const [head = '', ...rows] = taken.content.split('\n');
    assert.equal(
      head,
      `[This result was too large for the conversation: 43,907 bytes, 5,001 lines. The whole of it is saved at ${folder}/call_1.txt; page through it with \`read\` (offset and limit, or column inside a long line) or search it with \`grep\`. It begins:]`,
    );
    assert.equal(rows[199], 'row 200');
    assert.equal(rows[200], '[… and ends:]');
    assert.deepEqual(rows.slice(-2), ['row 5000', '[Exit code 1.]']);
    assert.equal(rows.length, 200 + 1 + 20);
  });

  it('the saved whole can be paged through with read, unasked, and no page of it is saved again', async () => {
    const bench = await ToolBench.open();
    const content = Array.from({ length: 20_000 }, (_, index) => `${FOLDER} row ${index}`).join('\n');
    const path = join(bench.outer, 'session', 'result.txt');
    await bench.put('../session/result.txt', content);
    const rows: string[] = [];
    for (let offset = 1; offset > 0; ) {
      const page = await bench.unasked('read', { path, offset });
      const taken = await take(page);
      assert.equal(taken.content, page);
      rows.push(...page.split('\n').flatMap((row) => /^ *\d+\t(.*)$/.exec(row)?.[1] ?? []));
      offset = Number(/Read on with offset (\d+)\.\]$/.exec(page)?.[1] ?? 0);
    }
    assert.equal(rows.join('\n'), content);
    assert.equal(saves.length, 0);
    await bench.close();
  });

  it('one giant line is bounded at both ends', async () => {
    const { content } = await take(`a${FOLDER.repeat(1_000_000)}z`);
    assert.ok(Buffer.byteLength(content) < PERSIST_BYTES);
    assert.ok(content.isWellFormed() && content.includes(`:]\na${FOLDER}`) && content.endsWith(`${FOLDER}z`));
    assert.equal(await readFile(join(folder, 'call_1.txt'), 'utf8'), `a${FOLDER.repeat(1_000_000)}z`);
  });

  it('what cannot be saved is cut in the middle, with the number of characters left out and the reason', async () => {
    const short = await take('x'.repeat(49_000), fullDisk);
    assert.equal(short.content, `${'x'.repeat(49_000)}\n[The whole result could not be saved: no space left]`);
    const { content, detail } = await take(`begin${FOLDER.repeat(100_000)}end`, fullDisk);
    assert.equal(detail?.savedTo, undefined);
    const [, head = '', omitted = '', tail = ''] =
      /^([\s\S]*)\n\[… ([\d,]+) characters left out …\]\n([\s\S]*)\n\[The whole result could not be saved: no space left\]$/.exec(
        content,
      ) ?? [];
    assert.ok(head.startsWith('begin') && tail.endsWith('end') && content.isWellFormed());
    assert.ok(content.length <= 50_000 + 60);
    assert.equal(count(head) + count(tail) + Number(omitted.replaceAll(',', '')), 100_008);
  });

  it('A17: lone surrogates are healed, in small and in large results', async () => {
    assert.equal((await take('a\ud83d b\udcc1')).content, 'a\ufffd b\ufffd');
    const large = await take(`\ud83d${'x'.repeat(60_000)}\udcc1`);
    assert.ok(large.content.isWellFormed());
    assert.equal(saves[0]?.[1], `\ufffd${'x'.repeat(60_000)}\ufffd`);
  });

  // UTF-8 bytes kept, bytes of the start, UTF-16 units of the end, and of both ends of a cut text.
  for (const limit of [PERSIST_BYTES, 20 * 1024, 2 * 1024, (50_000 - 80) / 2]) {
    it(`A17: a character across the limit ${limit} is never split`, async () => {
      for (const character of [FOLDER, '漢']) {
        for (const lead of [limit - 3, limit - 2, limit - 1, limit]) {
          const filler = 'y'.repeat(60_000);
          for (const text of [`${'x'.repeat(lead)}${character}${filler}`, `${filler}${character}${'x'.repeat(lead)}`]) {
            for (const saver of [save, fullDisk]) {
              const { content } = await take(text, saver);
              assert.ok(content.isWellFormed() && !content.includes('\ufffd'), `${lead} ${character}`);
            }
          }
          const { content } = await take(`${'x'.repeat(lead)}${character}`);
          assert.ok(content.isWellFormed() && !content.includes('\ufffd'));
        }
      }
    });
  }

  it('any text: the result fits, is well-formed, and a larger one is saved word for word', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', FOLDER, '漢字\r\n', '\ud83d', 'x'.repeat(500)),
    );
    const text = fc
      .tuple(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 400 }))
      .map(([parts, times]) => parts.join('').repeat(times));
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (content, canSave) => {
        saves.length = 0;
        const taken = await take(content, canSave ? save : fullDisk);
        assert.ok(taken.content.isWellFormed());
        if (Buffer.byteLength(content.toWellFormed()) <= PERSIST_BYTES) {
          assert.equal(taken.content, content.toWellFormed());
        } else if (canSave) {
          assert.deepEqual(saves, [['call_1', content.toWellFormed()]]);
          assert.ok(Buffer.byteLength(taken.content) <= PERSIST_BYTES);
        } else {
          assert.ok(taken.content.length <= 50_000 + 60);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function count(text: string): number {
  return Array.from(text).length;
}

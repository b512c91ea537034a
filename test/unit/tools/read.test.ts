import assert from 'node:assert/strict';
import { mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolBench } from './toolBench.ts';

const PAGE_BYTES = 24 * 1024;

describe('read', () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = await ToolBench.open();
  });
  afterEach(() => bench.close());

  it('numbers lines and reads a range', async () => {
    await bench.put('src/a.ts', 'one\ntwo\n\nfour\n');
    assert.equal(await bench.unasked('read', { path: 'src/a.ts' }), '1\tone\n2\ttwo\n3\t\n4\tfour');
    assert.equal(
      await bench.unasked('read', { path: join(bench.root, 'src/a.ts'), offset: 2, limit: 2 }),
      '2\ttwo\n3\t\n[Lines 2-3 of 4. Read on with offset 4.]',
    );
    assert.equal(
      await bench.fails('read', { path: 'src/a.ts', offset: 9 }),
      'src/a.ts: it has 4 lines; line 9 does not exist.',
    );
    const { detail } = await bench.run('read', { path: 'src/a.ts', limit: 2 });
    assert.equal(detail?.title, 'src/a.ts, lines 1-2 of 4');
    assert.match(detail?.fileHash ?? '', /^[0-9a-f]{64}$/);
  });

  it('a file of many lines can be paged through without a gap', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} ${'x'.repeat(index % 90)}`);
    await bench.put('long.txt', lines.join('\r\n'));
    assert.deepEqual(await readThrough(bench, 'long.txt'), lines);
  });

  it('a line just below the size of a page is not left out', async () => {
    // With its number it does not fit, alone it does.
    const line = 'y'.repeat(PAGE_BYTES - 513);
    await bench.put('edge.txt', `first\n${line}\nlast\n`);
    assert.deepEqual(await readThrough(bench, 'edge.txt'), ['first', line, 'last']);
  });

  for (const [name, size] of [
    ['bundle.js', 3_000_000],
    ['data.json', 200_000],
  ] as const) {
    it(`A19: one line of ${size} bytes comes in bounded parts that can be read on`, async () => {
      const text = Array.from({ length: size / 10 }, (_, index) => `v${String(index).padStart(8, '0')};`).join('');
      await bench.put(name, text);
      const first = await bench.unasked('read', { path: name });
      assert.ok(Buffer.byteLength(first) <= PAGE_BYTES);
      const next = /\[Line 1 of 1, characters 1-(\d+) of (\d+)\. Read on with offset 1 and column (\d+)\.\]$/.exec(
        first,
      );
      assert.equal(next?.[2], String(size));
      assert.equal(Number(next?.[3]), Number(next?.[1]) + 1);
      // The middle and the end, not only the second part.
      const middle = await bench.unasked('read', { path: name, offset: 1, column: size / 2 + 1 });
      assert.ok(middle.startsWith(text.slice(size / 2, size / 2 + 20_000)));
      const end = await bench.unasked('read', { path: name, offset: 1, column: size - 9 });
      assert.equal(
        end,
        `${text.slice(-10)}\n[Line 1 of 1, characters ${size - 9}-${size} of ${size}. The file ends here.]`,
      );
      assert.match(await bench.fails('read', { path: name, offset: 1, column: size + 1 }), /has \d+ characters/);
    });
  }

  it('A19: a one-line JSON of 200 KB comes together exactly by following the notes', async () => {
    const rows = Array.from({ length: 4_000 }, (_, id) => ({
      id,
      name: `n\u{1f4c1}${id}`,
      text: '[Line 1] "é漢" \\n, column',
    }));
    const json = JSON.stringify(rows);
    assert.ok(Buffer.byteLength(json) > 200_000 && !json.includes('\n'));
    await bench.put('data.json', `${json}\r\n`);
    let joined = '';
    let query: { offset?: number; column?: number } | undefined = {};
    while (query) {
      const page = await bench.unasked('read', { path: 'data.json', ...query });
      const noteAt = page.lastIndexOf('\n');
      joined += page.slice(0, noteAt);
      const next = /Read on with offset (\d+) and column (\d+)\.\]$/.exec(page.slice(noteAt));
      query = next ? { offset: Number(next[1]), column: Number(next[2]) } : undefined;
      if (!query) assert.match(page, /The file ends here\.\]$/);
    }
    assert.equal(joined, json);
  });

  it('A17: parts of a line end on code points at every position, and join to the line', async () => {
    for (const lead of [0, 1, 2, 3]) {
      for (const character of ['\u{1f4c1}', '漢']) {
        const line = 'a'.repeat(PAGE_BYTES - 512 - 4 + lead) + character.repeat(20_000);
        await bench.put('wide.txt', `${line}\nnext\n`);
        let joined = '';
        for (let column = 1; column > 0; ) {
          const page = await bench.unasked('read', { path: 'wide.txt', offset: 1, column });
          assert.ok(page.isWellFormed() && !page.includes('\ufffd'));
          assert.ok(Buffer.byteLength(page) <= PAGE_BYTES);
          joined += page.slice(0, page.lastIndexOf('\n'));
          column = Number(/and column (\d+)\.\]$/.exec(page)?.[1] ?? 0);
          if (column === 0) assert.match(page, /Read on with offset 2\.\]$/);
        }
        assert.equal(joined, line);
      }
    }
  });

  it('A19: an empty file and a file of empty lines never come back as nothing', async () => {
    await bench.put('empty.txt', '');
    await bench.put('blank.txt', '\n\n');
    assert.equal(await bench.unasked('read', { path: 'empty.txt' }), '[The file is empty.]');
    assert.equal(await bench.unasked('read', { path: 'blank.txt' }), '1\t\n2\t');
    assert.equal(
      await bench.unasked('read', { path: 'blank.txt', offset: 1, column: 1 }),
      '\n[Line 1 of 2, characters 1-0 of 0. Read on with offset 2.]',
    );
  });

  it('A19: binary files are refused with type and size', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
    await bench.put('picture.txt', png);
    await bench.put('program', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(9_000)]));
    // UTF-32 begins like UTF-16.
    await bench.put('wide.txt', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]));
    assert.match(await bench.fails('read', { path: 'wide.txt' }), /^wide\.txt is binary data of 8 bytes/);
    await bench.put('noise', Buffer.from([0x1f, 0x8b, 8, 1, 2, 3, 4, 5, 6, 7]));
    assert.equal(
      await bench.fails('read', { path: 'picture.txt' }),
      'picture.txt is a PNG image of 108 bytes, not text.',
    );
    assert.equal(
      await bench.fails('read', { path: 'program' }),
      'program is an ELF executable of 9007 bytes, not text.',
    );
    assert.equal(await bench.fails('read', { path: 'noise' }), 'noise is a gzip archive of 10 bytes, not text.');
  });

  it('A19: Chinese comments with a character across the sniff limit are text', async () => {
    const text = `// ${'a'.repeat(8_187)}漢字の注釈\nconst x = 1;\n`;
    assert.equal(Buffer.from(text).subarray(8_190, 8_193).toString(), '漢');
    await bench.put('chinese.ts', text);
    const page = await bench.unasked('read', { path: 'chinese.ts' });
    assert.ok(page.includes('漢字の注釈') && !page.includes('\ufffd'));
  });

  it('A18: UTF-16 of both orders and UTF-8 with a byte order mark are read as text', async () => {
    const text = 'Grüße\r\n漢\u{1f4c1}\r\n';
    await bench.put('le.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
    await bench.put('be.txt', Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
    await bench.put('bom.txt', `\ufeff${text}`);
    for (const path of ['le.txt', 'be.txt', 'bom.txt']) {
      assert.equal(await bench.unasked('read', { path }), '1\tGrüße\n2\t漢\u{1f4c1}', path);
    }
  });

  it('an older 8-bit encoding is readable, with a warning', async () => {
    await bench.put('old.txt', Buffer.from('Käse für Müller, "größer"\n', 'latin1'));
    assert.equal(
      await bench.unasked('read', { path: 'old.txt' }),
      '[Not all of it is valid text of its encoding; some characters may be wrong.]\n1\tKäse für Müller, "größer"',
    );
  });

  it('A19: a file too large for memory is refused with its size and another way', async () => {
    await bench.put('huge.log', '');
    await truncate(join(bench.root, 'huge.log'), 300 * 1024 * 1024);
    assert.equal(
      await bench.fails('read', { path: 'huge.log' }),
      'huge.log has 314572800 bytes, more than read can hold. Use grep, or bash with sed -n, head -c or tail -c.',
    );
  });

  it('says what else a path is', async () => {
    await mkdir(join(bench.root, 'folder'));
    assert.equal(await bench.fails('read', { path: 'folder' }), 'folder is a folder. Use list.');
    assert.equal(
      await bench.fails('read', { path: 'gone.ts' }),
      'gone.ts does not exist. Use glob or list to find it.',
    );
    assert.match(await bench.fails('read', { path: '/dev/null' }), /is not a regular file/);
  });
});

/** The lines of a file, read page by page with the arguments that each page names. */
async function readThrough(bench: ToolBench, path: string): Promise<string[]> {
  const lines: string[] = [];
  for (let query: object | undefined = {}; query; ) {
    const page = await bench.unasked('read', { path, ...query });
    assert.ok(Buffer.byteLength(page) <= PAGE_BYTES);
    const part = /^([\s\S]*)\n\[Line \d+ of /.exec(page)?.[1];
    if (part === undefined) {
      for (const row of page.split('\n')) {
        const line = /^ *\d+\t(.*)$/.exec(row)?.[1];
        if (line !== undefined) lines.push(line);
      }
    } else {
      lines.push(part);
    }
    const offset = /Read on with offset (\d+)\.\]$/.exec(page)?.[1];
    query = offset === undefined ? undefined : { offset: Number(offset) };
  }
  return lines;
}

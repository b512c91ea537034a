import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type MarkdownBlocks, splitBlocks } from '../../../webview/markdown/blocks.ts';
import { blockHtml } from '../../../webview/markdown/html.ts';

const DOCUMENT = `# Title

A paragraph with **bold**, \`code\` and [a link](src/a.ts).
Second line.

- one
- two

  deep

- three

\`\`\`ts
const a = 1;

// blank line above
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

> quote

Setext
===

1. first
2. second

Last [named][ref].

[ref]: https://example.com
`;

function html({ blocks }: MarkdownBlocks): string {
  return blocks.map(({ token }) => blockHtml(token)).join('');
}

function stream(document: string, cuts: readonly number[]): MarkdownBlocks[] {
  const states: MarkdownBlocks[] = [];
  for (const cut of [...cuts].sort((a, b) => a - b))
    states.push(splitBlocks(document.slice(0, cut), true, states.at(-1)));
  return states;
}

describe('Markdown blocks', () => {
  it('keeps settled blocks as they are while the text grows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(DOCUMENT.length), { minLength: 1, maxLength: 20 }), (cuts) => {
        const whole = splitBlocks(DOCUMENT, false).blocks.map((block) => block.raw);
        let settled: string[] = [];
        for (const state of stream(DOCUMENT, cuts)) {
          const now = state.blocks.slice(0, state.settledCount).map((block) => block.raw);
          assert.deepEqual(now.slice(0, settled.length), settled);
          assert.deepEqual(now, whole.slice(0, now.length));
          settled = now;
        }
      }),
    );
  });

  it('reads only the open end again', () => {
    const states = stream(DOCUMENT, [DOCUMENT.indexOf('- three'), DOCUMENT.indexOf('> quote')]);
    const [first, second] = states;
    assert.ok(first && second && first.settledCount > 0);
    for (let index = 0; index < first.settledCount; index++) {
      assert.equal(second.blocks[index], first.blocks[index]);
    }
  });

  it('ends, when the stream is over, where a single reading ends', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(DOCUMENT.length), { maxLength: 10 }), (cuts) => {
        const last = stream(DOCUMENT, cuts).at(-1);
        assert.equal(html(splitBlocks(DOCUMENT, false, last)), html(splitBlocks(DOCUMENT, false)));
      }),
    );
  });

  it('starts anew when the text was replaced', () => {
    const first = splitBlocks('one\n\ntwo\n\nthree', true);
    assert.equal(html(splitBlocks('other\n\ntext', true, first)), '<p>other</p>\n<p>text</p>\n');
  });

  it('closes half-open marks while streaming', () => {
    assert.equal(html(splitBlocks('some **bold', true)), '<p>some <strong>bold</strong></p>\n');
    assert.equal(html(splitBlocks('run `npm te', true)), '<p>run <code>npm te</code></p>\n');
    assert.equal(html(splitBlocks('see [the docs](https://exam', true)), '<p>see the docs</p>\n');
  });

  it('carries link definitions over to later text', () => {
    const first = splitBlocks('[ref]: https://example.com\n\none\n\n', true);
    const second = splitBlocks('[ref]: https://example.com\n\none\n\ntwo [named][ref].', true, first);
    assert.match(html(second), /data-href="https:\/\/example\.com"/);
  });
});

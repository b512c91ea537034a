import assert from 'node:assert/strict';
import type { ToolCallBlock } from '../../../src/core/conversation/message.ts';
import { takeIn } from '../../../src/core/intake/takeIn.ts';
import { utf8Length } from '../../../src/core/platform/text.ts';
import { smallWindowResultBytes } from '../../../src/core/tokens/smallWindow.ts';

const call: ToolCallBlock = { type: 'tool_call', callId: 'c1', name: 'read', input: {} };

describe('intake in a small window', () => {
  const saved: string[] = [];
  const save = async (_: string, text: string) => {
    saved.push(text);
    return '/s/results/c1';
  };
  beforeEach(() => {
    saved.length = 0;
  });

  it('in a small window a result has less room, and never counts as a whole read once it was shortened', async () => {
    const content = '漢字\n'.repeat(1_000);
    const detail = { path: '/w/a.txt', lines: { start: 1, end: 1_000, total: 1_000 } };
    const taken = await takeIn(call, { status: 'ok', content, detail }, save, 3_000);
    assert.deepEqual(saved, [content]);
    assert.deepEqual(taken.detail, { path: '/w/a.txt', savedTo: '/s/results/c1' });
    assert.ok(utf8Length(taken.content) < 3_000);
    assert.ok(taken.content.isWellFormed());
  });

  it('a result that cannot be saved keeps both ends and says why', async () => {
    const failing = () => Promise.reject(new Error('disk full'));
    const content = `begin${'x'.repeat(60_000)}end`;
    for (const [maxBytes, longest] of [
      [undefined, 50_200],
      [2_000, 2_200],
    ] as const) {
      const taken = await takeIn(call, { status: 'ok', content }, failing, maxBytes);
      assert.match(
        taken.content,
        /^begin[\s\S]*characters left out[\s\S]*end\n\[The whole result could not be saved: disk full\]$/,
      );
      assert.ok(taken.content.length < longest);
    }
  });

  it('the results of one answer share an eighth of a small window; a large one sets no limit', () => {
    assert.equal(smallWindowResultBytes(8_192, 1), 3_072);
    assert.equal(smallWindowResultBytes(8_192, 3), 1_024);
    assert.equal(smallWindowResultBytes(8_192, 50), 512);
    assert.equal(smallWindowResultBytes(16_384, 1), undefined);
  });
});

import assert from 'node:assert/strict';
import { preambleSize, renderPreamble } from '../../../src/core/prompt/preamble.ts';

describe('preamble', () => {
  it('is reduced below a window of 16K tokens', () => {
    assert.deepEqual([8_192, 16_383, 16_384, 200_000].map(preambleSize), ['reduced', 'reduced', 'full', 'full']);
    const [full, reduced] = [renderPreamble({ size: 'full' }), renderPreamble({ size: 'reduced' })];
    assert.ok(reduced.length < full.length / 2);
    for (const text of [full, reduced]) assert.match(text, /^You are Steiner[\s\S]*Build mode[\s\S]*Plan mode/);
  });

  it('keeps who the agent is when the rules are overridden, and ends with the suffix', () => {
    const text = renderPreamble({ size: 'full', override: 'Only speak French. {{x}}', suffix: 'Last words.' });
    assert.match(text, /^You are Steiner[^\n]*\n\nOnly speak French\. \{\{x\}\}\n\nLast words\.$/);
  });

  it('has no gap for a blank override or suffix', () => {
    assert.equal(renderPreamble({ size: 'full', override: '', suffix: ' ' }), renderPreamble({ size: 'full' }));
  });
});

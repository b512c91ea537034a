import assert from 'node:assert/strict';
import { type SummaryRequestOptions, summaryRequest } from '../../../src/core/compaction/summaryRequest.ts';
import { lineageOf, says, user } from '../conversation/support.ts';

const SECTIONS = [
  /^1\. Task and goal/m,
  /^2\. State of the repository/m,
  /^3\. Work done/m,
  /^4\. Findings and decisions/m,
  /^5\. Problems/m,
  /^6\. What remains/m,
  /^7\. Verification/m,
  /^8\. The user's preferences/m,
];

describe('summary request', () => {
  const view = lineageOf([user('Do it.', 1), says('Done.', 1)]).view();

  function instruction(change: Partial<SummaryRequestOptions> = {}): string {
    const options = { stage: 'normal', focus: undefined, again: false, maxOutputTokens: 1_000, cacheKey: 'k' } as const;
    const last = summaryRequest(view, { ...options, ...change }).messages.at(-1);
    const block = last?.content.at(-1);
    assert.ok(last?.role === 'user' && block?.type === 'text');
    return block.text;
  }

  it('ends with a user message that asks for eight numbered sections', () => {
    for (const section of SECTIONS) assert.match(instruction(), section);
    assert.doesNotMatch(instruction(), /^9\./m);
  });

  it('in an emergency asks for a shorter, lossier summary', () => {
    const text = instruction({ stage: 'emergency' });
    assert.match(text, /shorter than a full account/);
    assert.match(text, /drop what can be looked up again/);
    assert.ok(text.length < instruction().length * 0.75);
  });

  it('carries the focus the user named, in both stages, and says when the last reply held no text', () => {
    for (const stage of ['normal', 'emergency'] as const) {
      assert.match(instruction({ stage, focus: ' the parser ' }), /the parser/);
    }
    assert.notEqual(instruction({ again: true }), instruction());
  });
});

import assert from 'node:assert/strict';
import { Transcript } from '../../../src/host/chat/transcript.ts';

describe('a truncated skill in the chat', () => {
  it('is a warning that names the skill, its size, what was sent and the setting', () => {
    const chat = new Transcript({ titleOf: () => '', now: () => 1 });
    chat.apply({ type: 'skill_truncated', name: 'review', size: 120_000, cap: 106_496 });
    const [item] = chat.items;
    assert.ok(item?.kind === 'notice');
    assert.equal(item.severity, 'warning');
    assert.equal(item.message, 'The skill "review" has 120,000 bytes; the first 106,496 were sent.');
    assert.match(item.advice ?? '', /steiner\.skills\.maxBytes/);
  });
});

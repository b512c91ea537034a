import assert from 'node:assert/strict';
import {
  activityText,
  countdown,
  elapsedText,
  formatTokens,
  meterView,
  relativeTime,
} from '../../../webview/format.ts';

describe('webview wording', () => {
  it('shortens token counts', () => {
    const cases: [number, string][] = [
      [0, '0'],
      [999, '999'],
      [1_000, '1K'],
      [12_345, '12.3K'],
      [200_000, '200K'],
      [999_949, '999.9K'],
      [999_950, '1M'],
      [1_048_576, '1M'],
      [1_250_000, '1.3M'],
      [-5, '0'],
    ];
    for (const [tokens, text] of cases) assert.equal(formatTokens(tokens), text);
  });

  it('says where a count comes from, and warns in words above 70% and 90%', () => {
    const view = (tokens: number) => meterView({ tokens, window: 200_000, source: 'estimated' });
    assert.deepEqual(view(12_345), { fraction: 0.061725, level: 'normal', text: '12.3K of 200K tokens, estimated' });
    assert.equal(view(140_000).level, 'normal');
    assert.equal(view(140_001).level, 'high');
    assert.match(view(150_000).text, /filling up$/);
    assert.equal(view(180_000).level, 'high');
    assert.equal(view(180_001).level, 'critical');
    assert.match(view(190_000).text, /almost full$/);
    assert.equal(view(300_000).fraction, 1);
  });

  it('does not divide by an unknown window', () => {
    assert.deepEqual(meterView({ tokens: 5, window: 0, source: 'reported' }), {
      fraction: 0,
      level: 'normal',
      text: '5 tokens, reported, window unknown',
    });
  });

  it('A6: counts down to the next attempt', () => {
    const waiting = { kind: 'waiting_to_retry' as const, attempt: 2, maxAttempts: 5, untilMs: 40_000 };
    assert.equal(
      activityText({ ...waiting, reason: 'Server is busy' }, 13_000),
      'Server is busy. Trying again in 27 s, attempt 2 of 5.',
    );
    assert.match(activityText({ ...waiting, reason: 'Server is busy.' }, 39_999), /busy\. Trying again in 1 s,/);
    assert.match(activityText({ ...waiting, reason: 'Busy!' }, 41_000), /Busy! Trying again now,/);
  });

  it('counts in minutes above a minute', () => {
    assert.equal(countdown(60_000), 'in 1 min');
    assert.equal(countdown(61_000), 'in 1 min 1 s');
    assert.equal(countdown(59_001), 'in 1 min');
  });

  it('shows how long something has been running, once that is worth saying', () => {
    assert.equal(elapsedText(2_999), '');
    assert.equal(elapsedText(3_000), '3 s');
    assert.equal(elapsedText(61_500), '1 min 1 s');
  });

  it('names ages of sessions', () => {
    const now = Date.UTC(2026, 10, 30, 12);
    const ago = (ms: number) => relativeTime(now - ms, now);
    const hour = 3_600_000;
    assert.equal(ago(5_000), 'just now');
    assert.equal(ago(5 * 60_000), '5 min ago');
    assert.equal(ago(3 * hour), '3 h ago');
    assert.equal(ago(30 * hour), 'yesterday');
    assert.equal(ago(4 * 24 * hour), '4 days ago');
    assert.equal(ago(30 * 24 * hour), '2026-10-31');
    assert.equal(ago(-5_000), 'just now');
  });
});

import assert from 'node:assert/strict';
import { dateOf, sessionDateLine } from '../../../src/core/prompt/sessionDate.ts';

const at = (iso: string) => Date.parse(iso);

describe('session date', () => {
  it('is one line with ISO date, zone abbreviation and UTC offset', () => {
    assert.equal(
      sessionDateLine(at('2026-12-01T02:00:00Z'), 'Europe/Berlin'),
      'Session date: 2026-12-01 CET (UTC+01:00), recorded when the session started.',
    );
    assert.match(sessionDateLine(at('2026-07-01T12:00:00Z'), 'America/New_York'), /2026-07-01 EDT \(UTC-04:00\)/);
    assert.match(sessionDateLine(at('2026-07-01T12:00:00Z'), 'UTC'), /2026-07-01 UTC \(UTC\+00:00\)/);
  });

  it('gives the name of a zone that has no abbreviation', () => {
    assert.match(sessionDateLine(at('2026-12-01T02:00:00Z'), 'Asia/Kolkata'), /Asia\/\w+ \(UTC\+05:30\)/);
  });

  it('A14: changes at local midnight and at no other time of the day', () => {
    const line = (iso: string) => sessionDateLine(at(iso), 'Europe/Berlin');
    assert.equal(line('2026-11-30T23:00:00Z'), line('2026-12-01T22:59:59.999Z'));
    assert.equal(dateOf(line('2026-11-30T22:59:59.999Z')), '2026-11-30');
    assert.equal(dateOf(line('2026-11-30T23:00:00Z')), '2026-12-01');
  });

  it('uses the zone of the machine unless told otherwise', () => {
    const now = new Date(2026, 5, 7, 0, 0, 1).getTime();
    assert.equal(dateOf(sessionDateLine(now)), '2026-06-07');
  });
});

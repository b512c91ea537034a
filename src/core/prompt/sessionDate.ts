// The date a session started on, and the date of today when it is another one. Whole days only: seconds in the
// prompt would break the cache with every request (case A14).
import template from '../../../templates/session-date.md';
import { fill } from '../platform/templates.ts';

/** The zone's names vary by locale: US English abbreviates American zones, British English European ones. */
const LOCALES = ['en-US', 'en-GB'];

/**
 * One line: ISO date, zone abbreviation (the IANA name where there is none), UTC offset. Captured once per session;
 * the clock's time and the zone are the caller's.
 */
export function sessionDateLine(now: number, timeZone: string = localTimeZone()): string {
  return fill(template, {
    date: isoDate(now, timeZone),
    zone: zoneName(now, timeZone),
    offset: utcOffset(now, timeZone),
  });
}

/** The ISO date in a line of `sessionDateLine`. */
export function dateOf(line: string): string {
  return /\b\d{4}-\d{2}-\d{2}\b/.exec(line)?.[0] ?? '';
}

function localTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function isoDate(now: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const value = (type: Intl.DateTimeFormatPartTypes) => partOf(parts, now, type);
  return `${value('year')}-${value('month')}-${value('day')}`;
}

function zoneName(now: number, timeZone: string): string {
  for (const locale of LOCALES) {
    const name = partOf(new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }), now, 'timeZoneName');
    if (!/^(GMT|UTC)[+-]/.test(name)) return name;
  }
  return timeZone;
}

function utcOffset(now: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return partOf(format, now, 'timeZoneName').replace(/^GMT/, '') || '+00:00';
}

function partOf(format: Intl.DateTimeFormat, now: number, type: Intl.DateTimeFormatPartTypes): string {
  return format.formatToParts(now).find((part) => part.type === type)?.value ?? '';
}

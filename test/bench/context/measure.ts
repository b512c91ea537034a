// The figures of a replay. Raw sums are kept, so that a group's figures are those of all its calls together.
import type { Bill } from './billing.ts';
import type { Presence } from './presence.ts';
import type { Reference } from './references.ts';

export class Measure {
  costUnits = 0;
  calls = 0;
  summaries = 0;
  reReads = 0;
  overflows = 0;
  rewrites = 0;
  generations = 0;
  promptTokens = 0;
  readTokens = 0;
  /** Of main calls only. */
  mainPromptTokens = 0;
  references = { all: 0, full: 0, old: 0, oldFull: 0, oldGone: 0 };
  verbatimShares = 0;
  decisions = 0;
  decisionMs = 0;
  unitsOf = { main: 0, summary: 0, reRead: 0 };

  bill(kind: 'main' | 'summary' | 'reRead', bill: Bill): void {
    this.costUnits += bill.units;
    this.unitsOf[kind] += bill.units;
    this.promptTokens += bill.promptTokens;
    this.readTokens += bill.readTokens;
    if (kind === 'summary') this.summaries += 1;
    if (kind === 'reRead') this.reReads += 1;
    if (kind !== 'main') return;
    this.calls += 1;
    this.mainPromptTokens += bill.promptTokens;
  }

  /** Paths are paid for when they are missing, and not counted here. */
  reference({ kind, old }: Reference, presence: Presence): void {
    if (kind === 'path') return;
    this.references.all += 1;
    if (presence === 'full') this.references.full += 1;
    if (!old) return;
    this.references.old += 1;
    if (presence === 'full') this.references.oldFull += 1;
    if (presence === 'gone') this.references.oldGone += 1;
  }

  add(other: Measure): void {
    for (const key of SUMS) this[key] += other[key];
    for (const key of ['all', 'full', 'old', 'oldFull', 'oldGone'] as const)
      this.references[key] += other.references[key];
    for (const key of ['main', 'summary', 'reRead'] as const) this.unitsOf[key] += other.unitsOf[key];
  }
}

const SUMS = [
  'costUnits',
  'calls',
  'summaries',
  'reReads',
  'overflows',
  'rewrites',
  'generations',
  'promptTokens',
  'readTokens',
  'mainPromptTokens',
  'verbatimShares',
  'decisions',
  'decisionMs',
] as const;

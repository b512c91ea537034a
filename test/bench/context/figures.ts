// The benchmark's answer: the figures of every session, of the groups, and of all.
import type { SessionRun } from './bench.ts';
import { Measure } from './measure.ts';
import type { Group } from './sessions.ts';

export interface Figures {
  /** In uncached input tokens; main calls, summaries and forced re-reads. */
  costUnits: number;
  ratioToNaiveCached: number | null;
  ratioToFixed: number | null;
  ratioToOracle: number | null;
  /** Share of all prompt tokens that were read from the cache. */
  hitRate: number;
  overflows: number;
  /** Main calls that changed what the call before had sent. */
  rewrites: number;
  /** The first one counts. */
  generations: number;
  /** Of main calls. */
  meanPromptTokens: number;
  /** 1 where nothing was referred to. */
  recallAll: number;
  recallOldFull: number;
  recallOldGone: number;
  userMessagesVerbatim: number;
  /** Mean time of one decision. */
  decisionMicros: number;
  /** Main calls. */
  calls: number;
  summaries: number;
  reReads: number;
  references: number;
  oldReferences: number;
}

export interface BenchAnswer {
  sessions: ({ id: string; group: Group } & Figures)[];
  groups: Record<Group, Figures>;
  total: Figures;
}

export function answerOf(runs: readonly SessionRun[]): BenchAnswer {
  const inGroup = (group: Group) => figuresOf(runs.filter((run) => run.group === group));
  return {
    sessions: runs.map((run) => ({ id: run.id, group: run.group, ...figuresOf([run]) })),
    groups: { user: inGroup('user'), joined: inGroup('joined'), short: inGroup('short') },
    total: figuresOf(runs),
  };
}

function figuresOf(runs: readonly SessionRun[]): Figures {
  const own = sum(runs.map((run) => run.own));
  const { references } = own;
  return {
    costUnits: Math.round(own.costUnits),
    ratioToNaiveCached: costRatio(own, sum(runs.map(({ naive }) => naive))),
    ratioToFixed: costRatio(own, sum(runs.map(({ fixed }) => fixed))),
    ratioToOracle: costRatio(own, sum(runs.map(({ oracle }) => oracle))),
    hitRate: share(own.readTokens, own.promptTokens, 0),
    overflows: own.overflows,
    rewrites: own.rewrites,
    generations: own.generations,
    meanPromptTokens: Math.round(share(own.mainPromptTokens, own.calls, 0)),
    recallAll: share(references.full, references.all, 1),
    recallOldFull: share(references.oldFull, references.old, 1),
    recallOldGone: share(references.oldGone, references.old, 0),
    userMessagesVerbatim: share(own.verbatimShares, own.calls, 1),
    decisionMicros: rounded(share(own.decisionMs * 1_000, own.decisions, 0)),
    calls: own.calls,
    summaries: own.summaries,
    reReads: own.reReads,
    references: references.all,
    oldReferences: references.old,
  };
}

function sum(measures: readonly Measure[]): Measure {
  const total = new Measure();
  for (const measure of measures) total.add(measure);
  return total;
}

function costRatio(own: Measure, other: Measure): number | null {
  return other.costUnits > 0 ? rounded(own.costUnits / other.costUnits) : null;
}

function share(part: number, whole: number, ofNothing: number): number {
  return whole > 0 ? rounded(part / whole) : ofNothing;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

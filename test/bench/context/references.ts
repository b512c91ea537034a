// What every tool call of a session takes from earlier tool results. It depends on the trace alone, never on a policy.
import { type FeatureKind, featuresOf, inputFeatures } from './features.ts';
import type { BenchSession } from './sessions.ts';
import { callsOf, type Trace } from './trace.ts';

export interface Reference {
  kind: FeatureKind;
  text: string;
  /** Call ids of the earlier results that hold it, oldest first; never empty. */
  holders: string[];
  /** The newest holder is more than six calls back. */
  old: boolean;
}

const MOST: Record<FeatureKind, number> = { line: 12, symbol: 15, path: 6 };
const OLD_AFTER_CALLS = 6;
/** A symbol that is known in so many repositories says nothing about this conversation. */
const COMMON_IN_REPOSITORIES = 3;

/** Symbols that stand in tool results of three or more repositories. */
export function commonSymbols(traces: readonly Trace[]): Set<string> {
  const reposOf = new Map<string, Set<string>>();
  for (const { repo, steps } of traces) {
    for (const { text } of steps.flatMap(({ results }) => results)) {
      for (const symbol of featuresOf(text).symbols) {
        const repos = reposOf.get(symbol) ?? new Set();
        reposOf.set(symbol, repos.add(repo));
      }
    }
  }
  return new Set([...reposOf].flatMap(([symbol, repos]) => (repos.size >= COMMON_IN_REPOSITORIES ? [symbol] : [])));
}

/** For each step of the session, the references of all its calls. */
export function referencesOf(session: BenchSession, common: ReadonlySet<string>): Reference[][] {
  const said = new Set<string>();
  const index = new HolderIndex();
  return session.steps.map((step, stepIndex) => {
    for (const { text } of step.users) for (const symbol of featuresOf(text).symbols) said.add(symbol);
    const references = callsOf(step).flatMap(({ input }) => {
      const { lines, symbols, paths } = inputFeatures(input);
      const telling = [...symbols].filter((symbol) => !said.has(symbol) && !common.has(symbol));
      return [
        ...index.references('line', lines, stepIndex),
        ...index.references('symbol', telling, stepIndex),
        ...index.references('path', paths, stepIndex),
      ];
    });
    for (const { callId, text } of step.results) index.add(callId, text, stepIndex);
    return references;
  });
}

interface Holder {
  callId: string;
  step: number;
}

class HolderIndex {
  readonly #holders: Record<FeatureKind, Map<string, Holder[]>> = {
    line: new Map(),
    symbol: new Map(),
    path: new Map(),
  };

  add(callId: string, text: string, step: number): void {
    const { lines, symbols, paths } = featuresOf(text);
    for (const [kind, texts] of [
      ['line', lines],
      ['symbol', symbols],
      ['path', paths],
    ] as const) {
      for (const each of texts) {
        const holders = this.#holders[kind].get(each);
        if (holders) holders.push({ callId, step });
        else this.#holders[kind].set(each, [{ callId, step }]);
      }
    }
  }

  references(kind: FeatureKind, texts: Iterable<string>, step: number): Reference[] {
    const found = [...texts].flatMap((text): Reference[] => {
      const holders = this.#holders[kind].get(text);
      const newest = holders?.at(-1);
      if (!holders || !newest) return [];
      return [{ kind, text, holders: holders.map(({ callId }) => callId), old: step - newest.step > OLD_AFTER_CALLS }];
    });
    return found.slice(0, MOST[kind]);
  }
}

// All sessions of a folder under one policy, and under those that it is held against.
import type { CacheTtl } from '../../../src/core/conversation/request.ts';
import type { ModelCapabilities } from '../../../src/core/tokens/capabilities.ts';
import { anthropicBilling, type Billing, openaiBilling } from './billing.ts';
import { type GapMode, gapsBefore } from './gaps.ts';
import type { Measure } from './measure.ts';
import { type BenchPolicyName, newPolicy } from './policies/registry.ts';
import { commonSymbols, referencesOf } from './references.ts';
import { replay } from './replay.ts';
import { type BenchSession, type Group, sessionsOf } from './sessions.ts';
import { TokenBook } from './tokenBook.ts';
import type { Trace } from './trace.ts';

export interface BenchSettings {
  policy: BenchPolicyName;
  /** Tokens. */
  window: number;
  gaps: GapMode;
  provider: 'anthropic' | 'openai';
  ttl: CacheTtl;
  /** Of the idle gaps that are not recorded. */
  seed: number;
}

/** One session under the policy and under what it is held against. */
export interface SessionRun {
  id: string;
  group: Group;
  own: Measure;
  naive: Measure;
  fixed: Measure;
  oracle: Measure;
}

/** What every request leaves room for. Tokens. */
export const COMPLETION_RESERVE = 8_192;
/** Anthropic's tokens for one of o200k, measured on recorded sessions. */
const SCALE = { anthropic: 1.28, openai: 1 } as const;

export async function runBench(traces: readonly Trace[], settings: BenchSettings): Promise<SessionRun[]> {
  const common = commonSymbols(traces);
  const runs: SessionRun[] = [];
  for (const session of sessionsOf(traces)) {
    const references = referencesOf(session, common);
    const measures = new Map<BenchPolicyName, Measure>();
    const under = async (policy: BenchPolicyName) => {
      const measure = measures.get(policy) ?? (await replayed(session, references, { ...settings, policy }));
      measures.set(policy, measure);
      return measure;
    };
    runs.push({
      id: session.id,
      group: session.group,
      own: await under(settings.policy),
      naive: await under('naive'),
      fixed: await under('fixed'),
      oracle: await under('oracle'),
    });
  }
  return runs;
}

async function replayed(
  session: BenchSession,
  references: ReturnType<typeof referencesOf>,
  { policy, window, gaps, provider, ttl, seed }: BenchSettings,
): Promise<Measure> {
  return replay({
    session,
    references,
    gaps: gapsBefore(session, gaps, seed),
    policy: newPolicy(policy),
    billing: billingOf(provider, ttl),
    book: await TokenBook.load(SCALE[provider]),
    capabilities: capabilitiesOf(provider, ttl, window),
  });
}

function billingOf(provider: BenchSettings['provider'], ttl: CacheTtl): Billing {
  return provider === 'anthropic' ? anthropicBilling(ttl) : openaiBilling();
}

function capabilitiesOf(provider: BenchSettings['provider'], ttl: CacheTtl, window: number): ModelCapabilities {
  const ttlMs = provider === 'anthropic' && ttl === '1h' ? 3_600_000 : 300_000;
  return {
    contextWindow: window,
    maxOutputTokens: COMPLETION_RESERVE,
    cache: { kind: provider === 'anthropic' ? 'explicit' : 'automatic', ttlMs, minTokens: 1_024 },
    thinking: false,
    assumed: false,
  };
}

// What the agent does around one model call, phase by phase: the same functions in the same order as
// src/core/agent/turnLoop.ts, with no provider and no disk between them.
import { placeBreakpoints } from '../../../src/core/cache/breakpoints.ts';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { Message } from '../../../src/core/conversation/message.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { interruptedResults } from '../../../src/core/conversation/repair.ts';
import type { Breakpoint } from '../../../src/core/conversation/request.ts';
import { dedupRead } from '../../../src/core/intake/readDedup.ts';
import { fitRequest } from '../../../src/core/policy/fit.ts';
import { fixedPolicy, softThreshold } from '../../../src/core/policy/fixed.ts';
import { requestSnapshot } from '../../../src/core/report/requestSnapshot.ts';
import { SnapshotStore } from '../../../src/core/report/snapshotStore.ts';
import { Calibration } from '../../../src/core/tokens/calibration.ts';
import { requestTokens } from '../../../src/core/tokens/estimate.ts';
import { head } from './longConversation.ts';

export const PHASES = [
  'intake',
  'append',
  'repair',
  'projection',
  'estimate',
  'decision',
  'breakpoints',
  'snapshot',
] as const;
export type Phase = (typeof PHASES)[number];
/** Milliseconds. */
export type Times = Record<Phase, number>;

const MODEL = head.model;
/** A window that nothing fills: what is measured is the way to a request that is sent. */
const CONTEXT_WINDOW = 1_000_000_000;
const MAX_OUTPUT = 32_000;
const CACHE = { cache: { kind: 'explicit', ttlMs: 300_000, minTokens: 1_024 } } as const;

export class BenchedConversation {
  readonly #lineage: Lineage;
  readonly #calibration = new Calibration();
  readonly #snapshots = new SnapshotStore();
  #breakpoints: Breakpoint[] = [];

  constructor(lineage: Lineage) {
    this.#lineage = lineage;
  }

  /** Appends the message and does all that leads to a request with it. Errors: the policy would not send it. */
  call(message: Message): Times {
    const lap = stopwatch();
    const lineage = this.#lineage;
    if (message.role === 'tool') {
      const call = { type: 'tool_call', callId: message.callId, name: message.name, input: {} } as const;
      dedupRead(call, { ...message, status: 'ok' }, lineage.view());
    }
    const intake = lap();
    lineage.append(message);
    const append = lap();
    interruptedResults(lineage.view(), { ids: (prefix) => `${prefix}_${message.id}`, now: message.at });
    const repair = lap();
    const request = projectRequest(lineage.view(), { maxOutputTokens: MAX_OUTPUT, cacheKey: 'bench' });
    const projection = lap();
    const raw = requestTokens(request, MODEL);
    const promptTokens = this.#calibration.apply(MODEL, raw);
    const estimate = lap();
    const fit = fitRequest({ promptTokens, contextWindow: CONTEXT_WINDOW, maxOutputTokens: MAX_OUTPUT });
    const decided = fixedPolicy.decide({
      promptTokens,
      contextWindow: CONTEXT_WINDOW,
      softThreshold: softThreshold(CONTEXT_WINDOW),
      fits: fit.fits,
    });
    if (decided.kind !== 'send') throw new Error(`The policy decided to ${decided.kind}`);
    this.#calibration.observe(MODEL, raw, raw);
    const decision = lap();
    this.#breakpoints = placeBreakpoints(request, { previous: this.#breakpoints, capabilities: CACHE });
    const breakpoints = lap();
    this.#snapshots.store(requestSnapshot(request, MODEL, 'main'));
    return { intake, append, repair, projection, estimate, decision, breakpoints, snapshot: lap() };
  }
}

/** Milliseconds since the last call. */
function stopwatch(): () => number {
  let from = performance.now();
  return () => {
    const now = performance.now();
    const passed = now - from;
    from = now;
    return passed;
  };
}

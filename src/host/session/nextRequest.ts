// The next request of a session as it stands now: its size for the meter, its parts for the report.
import type { Meter } from '../../core/agent/events.ts';
import type { SessionState } from '../../core/agent/sessionState.ts';
import { projectRequest } from '../../core/conversation/project.ts';
import type { ModelRef, ModelRequest } from '../../core/conversation/request.ts';
import { fitRequest } from '../../core/policy/fit.ts';
import { softThreshold as fixedSoftThreshold } from '../../core/policy/fixed.ts';
import { type ContextReport, contextReport } from '../../core/report/contextReport.ts';
import { contextState } from '../../core/report/contextState.ts';
import type { SnapshotStore } from '../../core/report/snapshotStore.ts';
import { estimateRequest, requestTokens } from '../../core/tokens/estimate.ts';
import type { Models } from '../models.ts';
import { settings } from '../settings.ts';

export function estimateRaw(request: ModelRequest, ref: ModelRef): number {
  return requestTokens(request, ref);
}

/** Tokens at which compaction is due. */
export function softThreshold(contextWindow: number): number {
  return fixedSoftThreshold(contextWindow, settings.compactionThresholdTokens());
}

/** The next request as it stands now, without the message that is still being typed. */
function nextRequest(state: SessionState, models: Models) {
  const { model } = state.settings;
  const { maxOutputTokens } = models.capabilities(model);
  const request = projectRequest(state.lineage.view(), { maxOutputTokens, cacheKey: state.id });
  const raw = estimateRequest(request, model);
  return { request, raw, calibrated: state.calibration.calibrate(model, raw) };
}

export function reportOf(
  state: SessionState,
  models: Models,
  snapshots: SnapshotStore,
  roots: readonly string[],
): ContextReport | undefined {
  if (!state.hasGeneration) return undefined;
  const { model } = state.settings;
  const capabilities = models.capabilities(model);
  const { request, raw, calibrated } = nextRequest(state, models);
  const fit = fitRequest({ promptTokens: calibrated.tokens, ...capabilities });
  return contextReport({
    model,
    request,
    estimate: { ...raw, confidence: calibrated.confidence },
    total: calibrated.tokens,
    window: capabilities.contextWindow,
    reserve: fit.reservedCompletionTokens,
    margin: fit.safetyMarginTokens,
    threshold: softThreshold(capabilities.contextWindow),
    lastRequest: snapshots.parentSnapshot(),
    state: contextState(state.lineage.view(), state.lastTurn, roots),
  });
}

/** After a reload the meter shows an estimate until the provider reports again. */
export function meterOf(state: SessionState, models: Models): Meter {
  const { model } = state.settings;
  const window = models.capabilities(model).contextWindow;
  if (!state.hasGeneration) return { tokens: 0, window, source: 'estimated' };
  return { tokens: nextRequest(state, models).calibrated.tokens, window, source: 'estimated' };
}

// The active generation as a request. Whatever the stored messages are like, the result is one that a provider
// accepts (rules R1-R4), and request N is a prefix of request N+1 within a generation (design invariant 2).
import type { GenerationView } from './generation.ts';
import { growingMessages } from './growingMessages.ts';
import type { ModelRequest, RequestMessage } from './request.ts';
import { projectSystem } from './systemZone.ts';

/** Cache markers are not placed yet. Costs time only in what the view holds that was not projected before. */
export function projectRequest(
  view: GenerationView,
  options: { maxOutputTokens: number; thinkingBudget?: number | undefined; cacheKey: string },
): ModelRequest {
  const { head } = view.generation;
  const projected = growingMessages.of(view);
  const thinkingLost = projected.lostThinking;
  const thinks = options.thinkingBudget !== undefined && options.thinkingBudget > 0 && !thinkingLost;
  return {
    model: head.model.model,
    system: projectSystem(view),
    tools: head.tools,
    messages: projected.list(),
    maxOutputTokens: options.maxOutputTokens,
    ...(thinks ? { thinkingBudget: options.thinkingBudget } : {}),
    ...(thinkingLost ? { thinkingLost } : {}),
    breakpoints: [],
    cacheKey: options.cacheKey,
  };
}

/** Roles alternate, starting with the user. The list and its messages are frozen and shared between calls. */
export function projectMessages(view: GenerationView): readonly RequestMessage[] {
  return growingMessages.of(view).list();
}

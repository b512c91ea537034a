// Steiner's own trigger, through the product's compaction.
import { compact } from '../../../../src/core/compaction/compact.ts';
import { fitRequest } from '../../../../src/core/policy/fit.ts';
import { fixedPolicy, softThreshold } from '../../../../src/core/policy/fixed.ts';
import type { BenchPolicy } from '../room.ts';

export function fixedBenchPolicy(): BenchPolicy {
  // A compaction that did not help is not tried again in the same turn, as in the agent's loop.
  let helps = true;
  return {
    makeRoom: async (room) => {
      const { lineage, capabilities, now } = room;
      if (room.atUserMessage) helps = true;
      const threshold = softThreshold(capabilities.contextWindow);
      while (helps) {
        const promptTokens = room.estimate(room.request());
        const start = performance.now();
        const { fits } = fitRequest({ promptTokens, ...capabilities });
        const plan = fixedPolicy.decide({
          promptTokens,
          contextWindow: capabilities.contextWindow,
          softThreshold: threshold,
          fits,
        });
        room.decided(performance.now() - start);
        if (plan.kind === 'send') return;
        const outcome = await compact({
          view: lineage.view(),
          former: lineage.former(),
          trigger: plan.trigger,
          budget: capabilities,
          softThreshold: threshold,
          estimate: room.estimate,
          summarize: room.summarize,
          cacheKey: 'bench',
          nextGenerationId: lineage.nextGenerationId,
          now,
          historyPath: '/history.md',
          signal: new AbortController().signal,
        });
        if (outcome.applied) for (const generation of outcome.generations) lineage.addGeneration(generation);
        else helps = false;
      }
    },
  };
}

// Truncation: the older half goes when the window fills up.
import type { BenchPolicy } from '../room.ts';
import { withoutOldestHalf } from '../truncation.ts';

const FULL_SHARE = 0.8;

export function halfPolicy(): BenchPolicy {
  return {
    makeRoom: async ({ lineage, capabilities, now, request, estimate }) => {
      if (estimate(request()) < FULL_SHARE * capabilities.contextWindow) return;
      const shorter = withoutOldestHalf(lineage, now);
      if (shorter) lineage.addGeneration(shorter);
    },
  };
}

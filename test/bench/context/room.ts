// What a policy of the benchmark may look at and do before a model call.
import type { GenerationView } from '../../../src/core/conversation/generation.ts';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { Breakpoint, ModelRequest } from '../../../src/core/conversation/request.ts';
import type { ModelCapabilities } from '../../../src/core/tokens/capabilities.ts';
import type { Prices } from './billing.ts';
import type { Reference } from './references.ts';

export interface Room {
  readonly lineage: Lineage;
  readonly capabilities: ModelCapabilities;
  readonly prices: Prices;
  /** Milliseconds. */
  readonly now: number;
  /** The next call answers what the user has just said. */
  readonly atUserMessage: boolean;
  /** Of the steps from the next call on; only the oracle looks. */
  readonly ahead: readonly (readonly Reference[])[];
  request(): ModelRequest;
  /** Provider's tokens of the whole prompt. */
  estimate(request: ModelRequest): number;
  estimateView(view: GenerationView): number;
  /** Pays for a summary call and answers with a summary of its modelled size. */
  summarize(request: ModelRequest): Promise<string>;
  /** Notes how long a decision took. */
  decided(milliseconds: number): void;
}

export interface BenchPolicy {
  /** Has no window: nothing overflows. */
  readonly unbounded?: true;
  /** What is missing is known anyway: nothing is read again. */
  readonly omniscient?: true;
  /** Adds generations to the lineage where it wants to. */
  makeRoom(room: Room): Promise<void>;
  /** In place of the product's own markers. */
  breakpoints?(request: ModelRequest, previous: readonly Breakpoint[]): Breakpoint[];
  /** After each main call. */
  called?(promptTokens: number, outputTokens: number): void;
}

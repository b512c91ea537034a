// What a turn works with: one value for the runner and the loop.
import type { ModelRef } from '../conversation/request.ts';
import type { IdSource } from '../platform/ids.ts';
import type { PolicyName } from '../policy/policy.ts';
import type { Compactor } from './compactor.ts';
import type { ModelAccess, RawEstimator } from './modelAccess.ts';
import type { ModelCallDeps } from './modelCall.ts';
import type { PromptKeeper } from './promptKeeper.ts';
import type { SessionState } from './sessionState.ts';
import type { ToolExecutionDeps } from './toolExecution.ts';

export interface TurnDeps extends ModelCallDeps {
  state: SessionState;
  prompt: PromptKeeper;
  compactor: Compactor;
  /** Asked once a turn. */
  policy(): PolicyName;
  tools: Omit<ToolExecutionDeps, 'store' | 'emit'>;
  ids: IdSource;
  estimateRaw: RawEstimator;
  access(ref: ModelRef): Promise<ModelAccess>;
  softThreshold(contextWindow: number): number;
  maxModelCalls(): number;
  /** A read whose text stands in the conversation already is taken in as a note. */
  readAnnotations(): boolean;
}

/** Hands over what the user typed since the last time. */
export type TakeSteers = () => string[];

// What the planner's cut would leave of the prompt, asked before every model call and therefore not computed anew each
// time: within a turn the tail grows by what the prompt grows by.
import type { GenerationView } from '../conversation/generation.ts';
import type { Message } from '../conversation/message.ts';
import { EXPECTED_SUMMARY_TOKENS } from '../policy/planner.ts';
import type { CarryOver } from './carryOver.ts';
import type { CompactionInput } from './compactionInput.ts';
import { remainingAfterMaximal } from './maximal.ts';

/** Share of the window by which the prompt may have grown before the figure is computed again. */
const RENEW_PERCENT = 2;

interface Known {
  generation: number;
  lastRequest: Message | undefined;
  policy: string;
  promptTokens: number;
  remainingTokens: number;
}

export class RemainingEstimate {
  #known: Known | undefined;

  /**
   * `promptTokens`: of the next request as it stands. The result counts the summary too, and never exceeds the prompt.
   * Tokens.
   */
  async of(promptTokens: number, input: CompactionInput, carry: Pick<CarryOver, 'policy'>): Promise<number> {
    const generation = input.view.generation.id;
    const lastRequest = lastUserMessage(input.view);
    const known = this.#known;
    const grown = promptTokens - (known?.promptTokens ?? 0);
    const isCurrent =
      known?.generation === generation && known.lastRequest === lastRequest && known.policy === carry.policy;
    if (known && isCurrent && grown >= 0 && grown < (input.budget.contextWindow * RENEW_PERCENT) / 100) {
      return Math.min(promptTokens, known.remainingTokens + grown);
    }
    const start = { view: input.view, former: input.former, tokens: promptTokens, nextGenerationId: generation + 1 };
    const left = await remainingAfterMaximal(start, input, carry.policy);
    const remainingTokens = Math.min(promptTokens, left + EXPECTED_SUMMARY_TOKENS);
    this.#known = { generation, lastRequest, policy: carry.policy, promptTokens, remainingTokens };
    return remainingTokens;
  }
}

function lastUserMessage({ appended, retained }: GenerationView): Message | undefined {
  const isUsers = ({ role }: Message) => role === 'user';
  return appended.findLast(isUsers) ?? retained.findLast(isUsers);
}

// Byte budgets of the sources that have one. All others, AGENTS.md above all, are never cut.
import { clipUtf8, utf8Length } from '../platform/text.ts';
import type { PromptProblem } from './problem.ts';

type BudgetedSource = 'project_context' | 'skill';

/** UTF-8 bytes. */
type Budgets = Readonly<Record<BudgetedSource, number>>;

export const DEFAULT_BUDGETS: Budgets = { project_context: 8_000, skill: 106_496 };

/** An override of 0 means the default. Errors: RangeError for anything but a whole number from 0 up. */
export function resolveBudgets(overrides: Partial<Record<BudgetedSource, number>> = {}): Budgets {
  const bytes = (source: BudgetedSource): number => {
    const override = overrides[source] ?? 0;
    if (!Number.isSafeInteger(override) || override < 0) {
      throw new RangeError(`The budget of ${source} must be a whole number of bytes from 0 up, not ${override}.`);
    }
    return override === 0 ? DEFAULT_BUDGETS[source] : override;
  };
  return { project_context: bytes('project_context'), skill: bytes('skill') };
}

/** A budget as the user set it; `key` is the setting's name. */
export interface BudgetSetting {
  key: string;
  bytes: number;
}

/** A setting that cannot be a budget counts as unset and is a problem that names it. */
export function budgetsFromSettings(settings: Readonly<Record<BudgetedSource, BudgetSetting>>): {
  budgets: Budgets;
  problems: PromptProblem[];
} {
  const problems: PromptProblem[] = [];
  const checked = (source: BudgetedSource): Partial<Record<BudgetedSource, number>> => {
    const { key, bytes } = settings[source];
    try {
      resolveBudgets({ [source]: bytes });
      return { [source]: bytes };
    } catch (error) {
      const advice = `Set a whole number from 0 up; ${DEFAULT_BUDGETS[source]} bytes are used until then.`;
      problems.push({ path: key, reason: error instanceof RangeError ? error.message : String(error), advice });
      return {};
    }
  };
  return { budgets: resolveBudgets({ ...checked('project_context'), ...checked('skill') }), problems };
}

/** The budget of one source, shared by its blocks in order. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** The part of `text` that still fits, cut on a code point. Empty text always passes. */
  take(text: string): { text: string; truncated: boolean } {
    const kept = clipUtf8(text, this.#left);
    this.#left -= utf8Length(kept);
    return { text: kept, truncated: kept.length < text.length };
  }
}

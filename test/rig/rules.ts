// All rules in the order in which a request is checked; the first broken one is the answer.
import { checkMarkers } from './markerRules.ts';
import { checkPairing } from './pairing.ts';
import type { Prompt } from './prompt.ts';
import type { RigModel } from './settings.ts';
import { checkImages, checkWindow } from './sizeRules.ts';
import { checkBlankText, checkUnicode } from './textRules.ts';
import type { ThinkingRules } from './thinkingRules.ts';

interface BrokenRule {
  rule: string;
  /** Without the rule's name. */
  message: string;
}

interface RuleInput {
  prompt: Prompt;
  body: unknown;
  model: RigModel;
  /** Tokens of the prompt by the rig's rule. */
  tokens: number;
  /** R3: U+FFFD is part of the test's input, or the model itself has said it. */
  replacementCharacterAllowed: boolean;
}

export function checkRules(input: RuleInput, thinking: ThinkingRules): BrokenRule | undefined {
  const { prompt, body, model, tokens } = input;
  const checks: [string, () => string | undefined][] = [
    ['R3', () => checkUnicode(body, input.replacementCharacterAllowed)],
    ['R1', () => checkPairing(prompt)],
    ['R2', () => checkBlankText(prompt)],
    ['R6', () => checkImages(prompt)],
    ['R7', () => checkMarkers(prompt)],
    ['R5', () => checkWindow(prompt, tokens, model.window)],
  ];
  for (const [rule, check] of checks) {
    const message = check();
    if (message !== undefined) return { rule, message };
  }
  return thinking.check(prompt, model.strictThinking);
}

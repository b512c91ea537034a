// The first block of every prompt: who the agent is, its rules, its modes.
import identity from '../../../templates/preamble/identity.md';
import modes from '../../../templates/preamble/modes.md';
import fullRules from '../../../templates/preamble/rules.md';
import reducedRules from '../../../templates/preamble/rules-reduced.md';
import { fill } from '../platform/templates.ts';
import { isSmallWindow } from '../tokens/smallWindow.ts';

/** All that the preamble is made of. It is rebuilt only when one of these changes. */
export interface PreambleInputs {
  size: 'full' | 'reduced';
  /** Replaces the rules and modes; who the agent is stays. */
  override?: string | undefined;
  /** Stands last. */
  suffix?: string | undefined;
}

export function preambleSize(contextWindow: number): PreambleInputs['size'] {
  return isSmallWindow(contextWindow) ? 'reduced' : 'full';
}

export function renderPreamble({ size, override, suffix }: PreambleInputs): string {
  const rules = fill(size === 'reduced' ? reducedRules : fullRules);
  const sections = [fill(identity), ...(override ? [override] : [rules, fill(modes)]), suffix ?? ''];
  return sections.filter((section) => section.trim() !== '').join('\n\n');
}

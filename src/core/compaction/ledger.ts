// The ledger as a part of the next generation. It is made anew from the stored messages each time, so that nothing is
// lost or told twice over many compactions, and it never takes more than its budget.
import ledgerTemplate from '../../../templates/compaction/ledger.md';
import type { Message, UserPart } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { wellFormed } from '../platform/text.ts';
import { ledgerFacts } from './ledgerFacts.ts';

export interface LedgerBudget {
  /** Tokens. */
  mostTokens: number;
  countTokens(text: string): number;
}

/** Shares of the budget: what one section leaves over goes to the next. */
const SECTIONS = [
  { key: 'commits', title: 'Commits', share: 0.2 },
  { key: 'files', title: 'Files', share: 0.6 },
  { key: 'commands', title: 'Commands, each as it ended last', share: 1 },
] as const;

/** None when no tool has done anything that is recorded. The oldest entries of a section are left out first. */
export function ledgerPart(messages: readonly Message[], { mostTokens, countTokens }: LedgerBudget): UserPart[] {
  const facts = ledgerFacts(messages);
  let room = mostTokens;
  const sections: string[] = [];
  for (const { key, title, share } of SECTIONS) {
    const lines: string[] = [];
    let left = room * share;
    for (const line of facts[key].toReversed()) {
      const tokens = countTokens(line);
      if (tokens > left) break;
      left -= tokens;
      room -= tokens;
      lines.unshift(line);
    }
    const omitted = facts[key].length - lines.length;
    const more = omitted > 0 ? ` (${omitted} older left out)` : '';
    if (lines.length > 0) sections.push(`${title}${more}:\n${lines.join('\n')}`);
  }
  if (sections.length === 0) return [];
  return [{ kind: 'ledger', text: wellFormed(fill(ledgerTemplate, { facts: sections.join('\n\n') })) }];
}

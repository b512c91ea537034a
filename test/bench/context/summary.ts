// The modelled summary: its size is that of a real one, its words say nothing. What it keeps of the references is
// decided in presence.ts.

/** Output tokens of a summary. */
export const SUMMARY_TOKENS = 2_000;

/** A text of its own for each summary. */
export function summaryText(number: number): string {
  return `Modelled summary ${number}.`;
}

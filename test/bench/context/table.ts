import type { BenchAnswer, Figures } from './figures.ts';

const COLUMNS: [string, (figures: Figures) => string][] = [
  ['calls', ({ calls }) => String(calls)],
  ['cost (k)', ({ costUnits }) => (costUnits / 1_000).toFixed(1)],
  ['naive', ({ ratioToNaiveCached }) => ratio(ratioToNaiveCached)],
  ['fixed', ({ ratioToFixed }) => ratio(ratioToFixed)],
  ['oracle', ({ ratioToOracle }) => ratio(ratioToOracle)],
  ['hits', ({ hitRate }) => percent(hitRate)],
  ['over', ({ overflows }) => String(overflows)],
  ['rewr', ({ rewrites }) => String(rewrites)],
  ['gens', ({ generations }) => String(generations)],
  ['prompt', ({ meanPromptTokens }) => String(meanPromptTokens)],
  ['recall', ({ recallAll }) => percent(recallAll)],
  ['old', ({ recallOldFull }) => percent(recallOldFull)],
  ['gone', ({ recallOldGone }) => percent(recallOldGone)],
  ['words', ({ userMessagesVerbatim }) => percent(userMessagesVerbatim)],
  ['µs', ({ decisionMicros }) => decisionMicros.toFixed(1)],
];

export function tableOf({ sessions, groups, total }: BenchAnswer): string {
  const rows: [string, Figures][] = [
    ...sessions.map((session): [string, Figures] => [session.id, session]),
    ...Object.entries(groups).map(([name, figures]): [string, Figures] => [`= ${name}`, figures]),
    ['= total', total],
  ];
  const cells = [
    ['session', ...COLUMNS.map(([title]) => title)],
    ...rows.map(([name, figures]) => [name, ...COLUMNS.map(([, cell]) => cell(figures))]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return cells.map(line).join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function ratio(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}

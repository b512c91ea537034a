// The moves of the built-in model, and the pieces of answers that several of them share.
import { block, code } from './quoting.ts';
import { say } from './say.ts';
import type { Step } from './situation.ts';
import { type Hit, pathsListed } from './toolText.ts';

/** Rows of a result that an answer shows. */
export const MAX_ROWS = 25;

interface PlannedCall {
  name: string;
  input: Record<string, unknown>;
}

/** Text to say, and calls to make; without calls it is the answer. */
export interface Move {
  text: string;
  calls: PlannedCall[];
}

export function answer(text: string): Move {
  return { text, calls: [] };
}

export function call(name: string, input: Record<string, unknown>, text = ''): Move {
  return { text, calls: [{ name, input }] };
}

/** A file that was not where the user said is looked for by its name, once. */
export function locate(path: string, steps: readonly Step[], found: (path: string) => Move): Move {
  const last = steps.at(-1);
  if (!last || (last.name === 'read' && steps.length > 1)) return last ? failed(last) : answer(say.help());
  if (last.name !== 'glob') return call('glob', { pattern: `**/${path.split(/[\\/]/).at(-1) ?? path}` });
  const [first, ...others] = last.failed ? [] : pathsListed(last.content);
  if (first === undefined) return answer(say.noFile({ path: code(path) }));
  return others.length === 0
    ? found(first)
    : answer(say.severalFiles({ path: code(path), rows: bullets([first, ...others]) }));
}

export function failed({ name, content }: Step): Move {
  return answer(say.failed({ tool: code(name), error: block(content, 8) }));
}

export function hitRows(hits: readonly Hit[]): string {
  return hits.map(({ path, line, text }) => `- ${code(`${path}:${line}`)}: ${code(text)}`).join('\n');
}

export function bullets(paths: readonly string[]): string {
  return (
    paths
      .slice(0, MAX_ROWS)
      .map((path) => `- ${code(path)}`)
      .join('\n') + more(paths.length)
  );
}

export function more(count: number): string {
  return count > MAX_ROWS ? `\n\n${count - MAX_ROWS} more are in the tool result above.` : '';
}

// Which files' texts are worth carrying over: those used last and most. A pure choice; who reads them is another matter.
import type { Message, ToolMessage } from '../conversation/message.ts';
import { CARRY } from './carryOver.ts';

export interface TextInUse {
  /** Absolute. */
  path: string;
  /** 1-based and inclusive; absent: the whole file, or it is not known which lines. */
  lines?: { start: number; end: number };
  /** The result that showed it last, or the change that wrote the whole file. */
  message: ToolMessage;
}

interface FileUse {
  last: number;
  uses: number;
  changed: boolean;
}

/**
 * Best first. `tail`: what stays in the prompt; a text that it shows last is left out. Regions of one file that overlap are
 * given once, as they were shown last.
 */
export function textsInUse(messages: readonly Message[], tail: readonly Message[]): TextInUse[] {
  const results = messages.filter((message): message is ToolMessage => message.role === 'tool');
  const files = filesIn(results);
  const kept = new Set<Message>(tail);
  const shown = new Map<string, TextInUse[]>();
  for (const message of results.toReversed()) {
    const text = textOf(message);
    const known = shown.get(message.detail?.path ?? '') ?? [];
    if (text && !known.some((other) => overlaps(other, text))) shown.set(text.path, [...known, text]);
  }
  return [...shown.values()]
    .flat()
    .filter(({ message }) => !kept.has(message))
    .map((text, order) => ({ text, order, score: score(files.get(text.path)) }))
    .toSorted((a, b) => b.score - a.score || a.order - b.order)
    .map(({ text }) => text);
}

function filesIn(results: readonly ToolMessage[]): Map<string, FileUse> {
  const files = new Map<string, FileUse>();
  for (const [index, { detail, status, name }] of results.entries()) {
    if (detail?.path === undefined || status !== 'ok') continue;
    const known = files.get(detail.path);
    const changed = name !== 'read' || known?.changed === true;
    files.set(detail.path, { last: index, uses: (known?.uses ?? 0) + 1, changed });
  }
  return files;
}

function score(use: FileUse | undefined): number {
  if (!use) return 0;
  const { furtherUse, mostFurtherUses, changed } = CARRY.weights;
  return use.last + furtherUse * Math.min(use.uses - 1, mostFurtherUses) + (use.changed ? changed : 0);
}

/** Undefined: the result shows no text of a file. */
function textOf(message: ToolMessage): TextInUse | undefined {
  const { detail, status, name } = message;
  if (detail?.path === undefined || status !== 'ok' || detail.sameAs) return undefined;
  if (name !== 'read' && name !== 'write') return undefined;
  const { path, lines } = detail;
  const isWhole = !lines || (lines.start === 1 && lines.end >= lines.total);
  return { path, message, ...(isWhole ? {} : { lines: { start: lines.start, end: lines.end } }) };
}

function overlaps(a: TextInUse, b: TextInUse): boolean {
  if (!a.lines || !b.lines) return true;
  return a.lines.start <= b.lines.end && b.lines.start <= a.lines.end;
}

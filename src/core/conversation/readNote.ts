// The note that stands for a read whose text is in the conversation already. It is about a file and must never become
// the text of one (case A21).
import template from '../../../templates/notes/same-read.md';
import { fill } from '../platform/templates.ts';

export interface ReadNote {
  /** Turn of the read that returned the text. */
  turn: number;
  /** Id of the message with the text. */
  id: string;
  /** 1-based, inclusive; `total` lines has the whole file. */
  lines: { start: number; end: number; total: number };
  /** Absolute. */
  path: string;
}

const NOTE = new RegExp(
  `^${template
    .trim()
    .split(/\{\{\w+\}\}/)
    .map(literal)
    .join('[^]+?')}$`,
);

export function readNote({ turn, id, lines, path }: ReadNote): string {
  return fill(template, {
    start: String(lines.start),
    end: String(lines.end),
    total: String(lines.total),
    path,
    turn: String(turn),
    id,
  });
}

/** The text is such a note and nothing else, white space around it aside. */
export function isReadNote(text: string): boolean {
  return NOTE.test(text.trim());
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

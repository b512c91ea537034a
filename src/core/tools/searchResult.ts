import type { SearchPlace } from './searchPlaces.ts';

export interface LineMatch {
  /** Absolute. */
  path: string;
  /** From 1. */
  line: number;
  text: string;
  /** UTF-16 index of the first match in `text`; 0 in a line that only stands around one. */
  matchAt: number;
  isContext: boolean;
}

export interface LineQuery {
  pattern: string;
  where: SearchPlace;
  /** Narrows the files of a folder. */
  glob: string | undefined;
  ignoreCase: boolean;
  /** Lines shown on both sides of a match. */
  around: number;
}

/** Of a file that was named; in a folder binary files are left out without a word. */
export const BINARY_NOTE = '[It is a binary file; its text is not shown.]';

export interface Found<Item> {
  items: Item[];
  /** What the model has to know about how complete this is. */
  notes: string[];
}

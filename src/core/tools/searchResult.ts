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

export interface Found<Item> {
  items: Item[];
  /** What the model has to know about how complete this is. */
  notes: string[];
}

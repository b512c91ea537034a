// What an image takes in a prompt. Rule and figures: fact sheet section 5.1.

/** Pixels where the image's head could be read, else the length of its data. */
export type ImageSize = { width: number; height: number } | { bytes: number };

const PIXELS_PER_TOKEN = 750;
const BYTES_PER_TOKEN = 4;
const TOKENS_PER_IMAGE = 85;

/** Whole tokens, the fixed part of every image included. */
export function imageTokens(size: ImageSize): number {
  const variable = 'bytes' in size ? size.bytes / BYTES_PER_TOKEN : (size.width * size.height) / PIXELS_PER_TOKEN;
  return TOKENS_PER_IMAGE + Math.floor(variable);
}

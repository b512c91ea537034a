// Large texts are counted slice by slice, cut where no token of a byte-pair tokenizer can lie across.

/** UTF-16 units of a slice at most. */
export const SLICE_UNITS = 65_536;

/** A line break before a letter or digit, or a blank between two letters, in the last part of a slice. */
const LINE_START = /\n(?=[A-Za-z0-9])/g;
const WORD_END = /[A-Za-z](?= [A-Za-z])/g;
const SEARCHED_UNITS = 4_096;

export function* slices(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > SLICE_UNITS) {
    const end = start + cutOf(text.slice(start, start + SLICE_UNITS + 1));
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

/** Where there is no such place, which is rare, a pair of surrogates at least stays whole. */
function cutOf(text: string): number {
  const from = SLICE_UNITS - SEARCHED_UNITS;
  const searched = text.slice(from);
  const place = lastEnd(searched, LINE_START) ?? lastEnd(searched, WORD_END);
  if (place !== undefined) return from + place;
  const unit = text.charCodeAt(SLICE_UNITS);
  return unit >= 0xdc00 && unit <= 0xdfff ? SLICE_UNITS - 1 : SLICE_UNITS;
}

function lastEnd(text: string, place: RegExp): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(place)) end = match.index + match[0].length;
  return end;
}

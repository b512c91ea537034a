// What a tool call can have taken from a tool result: whole lines, symbols and paths.

export type FeatureKind = 'line' | 'symbol' | 'path';

export interface Features {
  lines: Set<string>;
  symbols: Set<string>;
  /** The last two segments. */
  paths: Set<string>;
}

const LEADING_NUMBER = /^\s*\d+\s*(?:[:|\t→-]\s*|\s+(?=\S))/;
const THREE_LETTERS = /\p{L}{3}/u;
const [SHORTEST_LINE, LONGEST_LINE] = [20, 240];
const SYMBOL = /[A-Za-z_$][\w$]{5,}/g;
const INNER_UNDERSCORE = /[A-Za-z0-9]_+[A-Za-z0-9]/;
const INNER_CAPITAL = /[a-z][A-Z]/;
const PATH = /[\w.@~+-]*(?:\/[\w.@+-]+)+/g;

const kept = new Map<string, Features>();

/** Computed once for each text; the texts are held for as long as the benchmark runs. */
export function featuresOf(text: string): Features {
  const known = kept.get(text);
  if (known) return known;
  const features = { lines: linesOf(text), symbols: symbolsOf(text), paths: pathsOf(text) };
  kept.set(text, features);
  return features;
}

/** Of all strings in a tool's input, in order. */
export function inputFeatures(input: unknown): Features {
  const all = stringsIn(input).map(featuresOf);
  return {
    lines: new Set(all.flatMap(({ lines }) => [...lines])),
    symbols: new Set(all.flatMap(({ symbols }) => [...symbols])),
    paths: new Set(all.flatMap(({ paths }) => [...paths])),
  };
}

export function holds({ lines, symbols, paths }: Features, kind: FeatureKind, text: string): boolean {
  return (kind === 'line' ? lines : kind === 'symbol' ? symbols : paths).has(text);
}

function linesOf(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(LEADING_NUMBER, '').trim());
  return new Set(lines.filter(({ length }) => length >= SHORTEST_LINE && length <= LONGEST_LINE).filter(hasWord));
}

function hasWord(line: string): boolean {
  return THREE_LETTERS.test(line);
}

function symbolsOf(text: string): Set<string> {
  const names = text.match(SYMBOL) ?? [];
  return new Set(names.filter((name) => INNER_UNDERSCORE.test(name) || INNER_CAPITAL.test(name)));
}

function pathsOf(text: string): Set<string> {
  const paths = text.match(PATH) ?? [];
  return new Set(paths.flatMap((path) => lastTwoSegments(path) ?? []));
}

function lastTwoSegments(path: string): string | undefined {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.length < 2 ? undefined : segments.slice(-2).join('/');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

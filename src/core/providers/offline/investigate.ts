// A question about the workspace: look at the root, search for the question's words, read the file that has most of
// them, and answer with what was found, each fact with its place.
import type { Intent } from './intent.ts';
import { answer, call, failed, hitRows, locate, type Move } from './moves.ts';
import { block, code } from './quoting.ts';
import { say } from './say.ts';
import type { Situation, Step } from './situation.ts';
import { type Hit, hitsIn, linesIn, type NumberedLine, outlineOf, pathsListed } from './toolText.ts';
import { anyOf, searchForm } from './words.ts';

type Question = Extract<Intent, { kind: 'question' }>;

const MAX_QUOTES = 6;
const MAX_OTHERS = 4;
const READ_LINES = 200;
/** Enough for the ranking to see most files, few enough for a small window. */
const SEARCH_LINES = 200;

export function investigate(intent: Question, { steps }: Situation): Move {
  const [named] = intent.paths;
  if (named !== undefined) return aboutFile(intent, named, steps);
  const listing = steps.find(({ name }) => name === 'list');
  if (!listing) return call('list', {}, say.looking());
  const search = steps.find(({ name }) => name === 'grep');
  if (!search && intent.words.length > 0)
    return call('grep', { pattern: anyOf(intent.words), ignore_case: true, limit: SEARCH_LINES });
  const hits = search && !search.failed ? ranked(hitsIn(search.content), intent.words) : [];
  const reading = steps.find(({ name }) => name === 'read');
  const best = hits[0]?.path ?? overviewFile(listing);
  if (!reading && best !== undefined) return call('read', { path: best, ...around(hits[0]) });
  if (!reading) {
    return listing.failed
      ? failed(listing)
      : answer(say.noFacts({ words: wordList(intent.words), rows: block(listing.content, 15) }));
  }
  return answer(factsAnswer(intent, hits, listing, reading));
}

function aboutFile(intent: Question, named: string, steps: readonly Step[]): Move {
  const reading = steps.findLast(({ name }) => name === 'read');
  if (!reading) return call('read', { path: named }, say.looking());
  if (reading.failed) return locate(named, steps, (path) => call('read', { path }));
  return answer(factsAnswer(intent, [], undefined, reading));
}

function factsAnswer(intent: Question, hits: readonly Hit[], listing: Step | undefined, reading: Step): string {
  if (reading.failed) return failed(reading).text;
  const path = String(reading.input.path ?? '');
  const lines = linesIn(reading.content).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const matching = telling(lines, intent.words);
  const quotes = matching.length > 0 ? matching : overviewOf(lines);
  return say.facts({
    path: code(path),
    how: matching.length > 0 ? `has these lines with ${wordList(wordsIn(matching, intent.words))}` : 'reads like this',
    rows: hitRows(quotes.map(({ line, text }) => ({ path, line, text }))),
    others: elsewhere(hits, path, intent.words),
    root: listing && !listing.failed && intent.words.length === 0 ? atTheTop(listing) : '',
    limit: intent.beyond ? say.beyond() : say.wordsOnly(),
  });
}

/** The lines with most of the words, declarations before mere uses, in the order of the file. */
function telling<Line extends { text: string }>(lines: readonly Line[], words: readonly string[]): Line[] {
  const score = ({ text }: Line) => {
    const found = wordsIn([{ text }], words).length;
    return found === 0 ? 0 : found * 2 + (DECLARES.test(text) ? 3 : 0) - (/^\s*import\b/.test(text) ? 3 : 0);
  };
  const best = lines.filter((line) => score(line) > 0).toSorted((x, y) => score(y) - score(x));
  const chosen = new Set(best.slice(0, MAX_QUOTES));
  return lines.filter((line) => chosen.has(line));
}

/** Headings and declarations; of a file that has hardly any, its beginning. */
function overviewOf(lines: readonly NumberedLine[]): NumberedLine[] {
  const outline = outlineOf(lines);
  return (outline.length > 2 ? outline : lines).slice(0, MAX_QUOTES);
}

/** The most telling line of each other file. */
function elsewhere(hits: readonly Hit[], path: string, words: readonly string[]): string {
  const paths = [...new Set(hits.map((hit) => hit.path))].filter((each) => each !== path).slice(0, MAX_OTHERS);
  const rows = paths.flatMap((each) =>
    telling(
      hits.filter((hit) => hit.path === each),
      words,
    ).slice(0, 1),
  );
  return rows.length > 0 ? `\n\nElsewhere:\n\n${hitRows(rows)}` : '';
}

function atTheTop(listing: Step): string {
  return `\n\nAt the top of the workspace:\n\n${block(listing.content, 15)}`;
}

/** Those of the words that really stand in the lines. */
function wordsIn(lines: readonly { text: string }[], words: readonly string[]): string[] {
  const texts = lines.map(({ text }) => text.toLowerCase());
  return words.filter((word) => texts.some((text) => text.includes(searchForm(word).toLowerCase())));
}

const DECLARES = /\b(?:function|class|interface|type|def|const|fn|func|struct|enum)\b|^\s*(?:test|it|describe)\(/;

/** Files with the most different words of the question first; generated files last, and tests where the question is not about them. */
function ranked(hits: readonly Hit[], words: readonly string[]): Hit[] {
  const forms = words.map((word) => searchForm(word).toLowerCase());
  const scores = new Map<string, number>();
  for (const path of new Set(hits.map((hit) => hit.path))) {
    const texts = hits.filter((hit) => hit.path === path).map(({ text }) => text.toLowerCase());
    const found = forms.filter((form) => texts.some((text) => text.includes(form))).length;
    const declares = texts.some((text) => DECLARES.test(text)) ? 3 : 0;
    const named = forms.filter((form) => path.toLowerCase().includes(form)).length * 4;
    scores.set(path, found * 10 + named + declares + Math.min(5, texts.length) - penalty(path, forms));
  }
  return hits.toSorted((a, b) => (scores.get(b.path) ?? 0) - (scores.get(a.path) ?? 0) || compare(a, b));
}

function compare(a: Hit, b: Hit): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
}

function penalty(path: string, forms: readonly string[]): number {
  if (/(?:^|[\\/])(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$|\.min\.|\.map$|\.lock$/.test(path)) return 40;
  // Folders with a dot hold settings and skills, rarely what a question is about.
  if (/(?:^|[\\/])\.[^\\/.]/.test(path)) return 12;
  if (forms.includes('test')) return 0;
  return /(?:^|[\\/])(?:tests?|__tests__|spec|fixtures?)[\\/]|\.(?:test|spec)\./.test(path) ? 8 : 0;
}

/** What tells most about a project when the question names nothing. */
function overviewFile(listing: Step): string | undefined {
  const names = listing.failed ? [] : pathsListed(listing.content);
  const wanted = [
    /^readme(\.\w+)?$/i,
    /^agents\.md$/i,
    /^package\.json$/,
    /^(?:cargo|pyproject)\.toml$/i,
    /^go\.mod$/,
    /\.md$/i,
  ];
  for (const pattern of wanted) {
    const name = names.find((each) => pattern.test(each));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The part of a long file around the first hit. */
function around(hit: Hit | undefined): Record<string, unknown> {
  return hit && hit.line > READ_LINES / 2
    ? { offset: hit.line - READ_LINES / 2, limit: READ_LINES }
    : { limit: READ_LINES };
}

function wordList(words: readonly string[]): string {
  return words.length > 0 ? words.map((word) => code(word)).join(', ') : 'no particular word';
}

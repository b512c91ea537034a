// OpenAI's o200k tokenizer, loaded on first need: its table takes about 100 ms and several megabytes.
import { countLongRun, longRuns } from './longRuns.ts';
import { SLICE_UNITS, slices } from './slices.ts';

type CountTokens = (text: string) => number;

/** What the loaded table gives: tokens of a text in which nothing is special. */
export type O200kTable = () => Promise<CountTokens>;

/** Loads once; a load that failed is the answer of every later call, and nothing stands in for it. */
export class O200k {
  readonly #table: O200kTable;
  #loading: Promise<void> | undefined;
  #count: CountTokens | undefined;
  #failure: TokenizerLoadError | undefined;

  constructor(table: O200kTable) {
    this.#table = table;
  }

  /** Resolves when `counter` gives the tokenizer. Errors: TokenizerLoadError, the same one each time. */
  load(): Promise<void> {
    this.#loading ??= this.#loadTable();
    return this.#loading;
  }

  /** Undefined while it is not loaded. Errors: TokenizerLoadError. */
  counter(): CountTokens | undefined {
    if (this.#failure) throw this.#failure;
    return this.#count;
  }

  async #loadTable(): Promise<void> {
    try {
      const count = await this.#table();
      this.#count = (text) => countInPieces(text, count);
    } catch (error) {
      this.#failure = new TokenizerLoadError(error);
      throw this.#failure;
    }
  }
}

/** The tokenizer's table could not be read: the installation is damaged. */
export class TokenizerLoadError extends Error {
  override readonly name = 'TokenizerLoadError';

  constructor(cause: unknown) {
    super('The tokenizer could not be loaded. Reinstall the extension.', { cause });
  }
}

/**
 * Pieces of words that the library may keep. Once its own 100,000 are reached each further piece costs it 50 us, a
 * hundred times as much; so it is emptied before it can be full: a piece has two units at least.
 */
const KEPT_PIECES = SLICE_UNITS;

/** The one of this process. */
export const o200k = new O200k(async () => {
  const { clearMergeCache, countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  setMergeCacheSize(KEPT_PIECES);
  // Text that looks like a special token is plain text: it comes from users and files.
  const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  let units = 0;
  return (text) => {
    units += text.length;
    if (units > 2 * KEPT_PIECES) {
      clearMergeCache();
      units = text.length;
    }
    return countTokens(text, asText);
  };
});

/** Resolves when texts are counted by the tokenizer. Errors: TokenizerLoadError, the same one each time. */
export function loadO200k(): Promise<void> {
  return o200k.load();
}

function countInPieces(text: string, count: CountTokens): number {
  let tokens = 0;
  let done = 0;
  for (const [start, end] of longRuns(text)) {
    tokens += countSlices(text.slice(done, start), count);
    tokens += countLongRun(text.slice(start, end), count);
    done = end;
  }
  return tokens + countSlices(text.slice(done), count);
}

function countSlices(text: string, count: CountTokens): number {
  let tokens = 0;
  for (const slice of slices(text)) tokens += count(slice);
  return tokens;
}

// OpenAI's o200k tokenizer, loaded on first need: its table takes about 100 ms and several megabytes.
import { countLongRun, longRuns } from './longRuns.ts';

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

/** The one of this process. */
export const o200k = new O200k(async () => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that looks like a special token is plain text: it comes from users and files.
  const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
});

/** Resolves when texts are counted by the tokenizer. Errors: TokenizerLoadError, the same one each time. */
export function loadO200k(): Promise<void> {
  return o200k.load();
}

function countInPieces(text: string, count: CountTokens): number {
  let tokens = 0;
  let done = 0;
  for (const [start, end] of longRuns(text)) {
    if (start > done) tokens += count(text.slice(done, start));
    tokens += countLongRun(text.slice(start, end), count);
    done = end;
  }
  return done < text.length ? tokens + count(text.slice(done)) : tokens;
}

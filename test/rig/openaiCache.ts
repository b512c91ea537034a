// An OpenAI-like automatic prompt cache (R7): the longest common prefix with any prompt of the same model seen in the
// last five minutes, over tools, system and messages, in steps of 128 tokens, from 1,024 tokens on.
import { blocksOf, type Prompt } from './prompt.ts';
import { blockTokens } from './tokens.ts';

const stepTokens = 128;
const minTokens = 1024;
const ttlMs = 5 * 60_000;

interface Piece {
  canonical: string;
  tokens: number;
}

interface Entry {
  model: string;
  pieces: Piece[];
  expiresAt: number;
}

export class OpenAiCache {
  readonly #now: () => number;
  #entries: Entry[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Tokens of the prompt, and how many of them come from the cache. `commit` stores the prompt: when the reply starts. */
  account(prompt: Prompt, tokensPerByte: number): { total: number; cached: number; commit: () => void } {
    const pieces = blocksOf(prompt).map((block) => ({
      canonical: block.canonical,
      tokens: blockTokens(block, tokensPerByte),
    }));
    const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
    this.#entries = this.#entries.filter((entry) => entry.expiresAt > this.#now());
    const common = this.#entries
      .filter((entry) => entry.model === prompt.model)
      .reduce((most, entry) => Math.max(most, commonTokens(pieces, entry.pieces, tokensPerByte)), 0);
    const stepped = Math.floor(common / stepTokens) * stepTokens;
    const cached = stepped >= minTokens ? stepped : 0;
    const commit = () => {
      // A prompt that continues an earlier one replaces it. What was read lives on as a part of the new entry.
      this.#entries = this.#entries.filter(
        (entry) => entry.model !== prompt.model || !startsWith(pieces, entry.pieces),
      );
      this.#entries.push({ model: prompt.model, pieces, expiresAt: this.#now() + ttlMs });
    };
    return { total, cached, commit };
  }
}

/** Whole equal blocks, and of the first different one the equal bytes by the token rule. */
function commonTokens(a: Piece[], b: Piece[], tokensPerByte: number): number {
  let tokens = 0;
  for (const [index, piece] of a.entries()) {
    const other = b[index];
    if (other?.canonical === piece.canonical) {
      tokens += piece.tokens;
      continue;
    }
    const shared = other ? Math.floor(commonBytes(piece.canonical, other.canonical) * tokensPerByte) : 0;
    return tokens + Math.min(shared, piece.tokens, other?.tokens ?? 0);
  }
  return tokens;
}

function commonBytes(a: string, b: string): number {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
}

function startsWith(pieces: Piece[], start: Piece[]): boolean {
  return start.length <= pieces.length && start.every((piece, index) => piece.canonical === pieces[index]?.canonical);
}

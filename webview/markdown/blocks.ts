// Cuts Markdown into top-level blocks, so that a growing answer renders only its last block again.
import { Lexer, type Links, type Token } from 'marked';
import remend from 'remend';

export interface MarkdownBlock {
  /** The exact source of the block; equal sources render to equal HTML. */
  readonly raw: string;
  readonly token: Token;
}

export interface MarkdownBlocks {
  readonly blocks: readonly MarkdownBlock[];
  /** Characters of the source that belong to blocks which later text cannot change. */
  readonly settledLength: number;
  readonly settledCount: number;
  readonly source: string;
  readonly links: Links;
}

/**
 * The blocks of `source`. With `streaming`, an open end is closed for display, and the settled blocks of `previous`
 * are taken over where `source` continues it. Without, everything is read again, so that a link definition at the
 * end reaches the text before it.
 */
export function splitBlocks(source: string, streaming: boolean, previous?: MarkdownBlocks): MarkdownBlocks {
  const base = streaming && previous && source.startsWith(previous.source) ? previous : undefined;
  const settled = base?.blocks.slice(0, base.settledCount) ?? [];
  const settledLength = base?.settledLength ?? 0;
  const open = lex(source.slice(settledLength), base?.links);
  if (!streaming) return { blocks: open.blocks, settledLength: 0, settledCount: 0, source, links: open.links };

  const last = open.blocks.findLastIndex((block) => block.token.type !== 'space');
  const closed = open.blocks.slice(0, Math.max(0, last));
  const tail = source.slice(settledLength + lengthOf(closed));
  return {
    blocks: [...settled, ...closed, ...lex(closeOpenMarks(tail), open.links).blocks],
    settledLength: settledLength + lengthOf(closed),
    settledCount: settled.length + closed.length,
    source,
    links: open.links,
  };
}

function closeOpenMarks(tail: string): string {
  return remend(tail, { linkMode: 'text-only', katex: false, htmlTags: false });
}

function lex(text: string, links: Links | undefined): { blocks: MarkdownBlock[]; links: Links } {
  const lexer = new Lexer({ gfm: true });
  if (links) Object.assign(lexer.tokens.links, links);
  const tokens = lexer.lex(text);
  return { blocks: tokens.map((token) => ({ raw: token.raw, token })), links: tokens.links };
}

function lengthOf(blocks: readonly MarkdownBlock[]): number {
  return blocks.reduce((length, block) => length + block.raw.length, 0);
}

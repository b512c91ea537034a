// The session looks itself up: what a compaction took out of view is one search and one read away.
import * as z from 'zod';
import description from '../../../templates/tools/history.md';
import type { Message } from '../conversation/message.ts';
import { clipUnits, clipUnitsFromEnd, utf8Length, utf8Page } from '../platform/text.ts';
import { historyText, historyTitle } from './historyText.ts';
import { failure } from './outcome.ts';
import type { HistoryAccess } from './ports.ts';
import { READ_PAGE_BYTES } from './readPage.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

const DEFAULT_HITS = 10;
const MAX_HITS = 50;
/** UTF-16 units of text shown on either side of a hit. */
const CONTEXT_UNITS = 80;
/** UTF-16 units of a query that is long; more of a hit is not shown. */
const HIT_UNITS = 160;

/** One flat object: a choice between two shapes at the top is refused by some providers. */
const input = z.object({
  action: z.enum(['search', 'read']),
  query: z.string().optional().describe('for search: the text to find'),
  id: z.string().optional().describe('for read: id of a message, a tool result or a tool call'),
  limit: z.int().min(1).max(MAX_HITS).optional().describe('for search: number of hits'),
  offset: z.int().min(0).optional().describe('search: hits to skip; read: first byte'),
});

type Input = z.infer<typeof input>;

export const historyTool: Tool<Input> = {
  name: 'history',
  description: description.trim(),
  effect: 'read',
  parallel: true,
  input,
  title: ({ action, query, id }) => (action === 'search' ? `search “${query ?? ''}”` : (id ?? '')),
  /** It shows only what the conversation held before, so nobody is asked. */
  async approval() {
    return undefined;
  },
  async execute(args, context) {
    return args.action === 'search' ? search(args, context) : readOne(args, context);
  },
};

async function search(
  { query = '', limit = DEFAULT_HITS, offset = 0 }: Input,
  context: ToolContext,
): Promise<ToolOutcome> {
  if (query.trim() === '') return failure('search needs a `query`.');
  const { history, files, signal } = context;
  const pattern = patternOf(query);
  const found: string[] = [];
  let hits = 0;
  for (const message of history.messages.toReversed()) {
    signal.throwIfAborted();
    if (isLookUp(message)) continue;
    const shown = searchable(message);
    const text = await historyText(shown, files);
    const hit = pattern.exec(text);
    if (!hit) continue;
    hits += 1;
    if (hits <= offset || hits > offset + limit) continue;
    const place = shown === message ? `, byte ${utf8Length(text.slice(0, hit.index))}` : '';
    found.push(`${message.id} · ${historyTitle(message, history)}${place}\n  ${excerpt(text, hit)}`);
  }
  if (hits === 0) return { status: 'ok', content: `[Nothing in this session holds ${JSON.stringify(query)}.]` };
  if (found.length === 0) return failure(`There are ${hits} hits; offset ${offset} is beyond the last one.`);
  const last = offset + found.length;
  const more = last < hits ? ` Go on with offset ${last}.` : '';
  found.push(`[Hits ${offset + 1}-${last} of ${hits}, newest first.${more} Read one with its id.]`);
  return { status: 'ok', content: found.join('\n') };
}

async function readOne({ id = '', offset = 0 }: Input, { history, files }: ToolContext): Promise<ToolOutcome> {
  if (id === '') return failure('read needs an `id`; search gives ids.');
  const message = history.message(id) ?? resultOf(id, history);
  if (!message) return failure(`Nothing in this session has the id ${JSON.stringify(id)}. Use search to find ids.`);
  const bytes = Buffer.from(await historyText(message, files), 'utf8');
  if (offset > 0 && offset >= bytes.length) {
    return failure(`${message.id} has ${bytes.length} bytes; byte ${offset} does not exist.`);
  }
  const { text, start, end } = utf8Page(bytes, offset, READ_PAGE_BYTES);
  const more = end < bytes.length ? ` Read on with offset ${end}.` : '';
  const range = `bytes ${start}-${end} of ${bytes.length}`;
  return { status: 'ok', content: `[${message.id} · ${historyTitle(message, history)}, ${range}.${more}]\n${text}` };
}

function resultOf(callId: string, { messages }: HistoryAccess): Message | undefined {
  return messages.findLast((message) => message.role === 'tool' && message.callId === callId);
}

/** Earlier look-ups only repeat what stands elsewhere, so they are no hits; by id they can be read like all else. */
function isLookUp(message: Message): boolean {
  return message.role === 'tool' && message.name === historyTool.name;
}

/** A call of this tool holds its query and would be found by it. */
function searchable(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const blocks = message.blocks.filter((block) => block.type !== 'tool_call' || block.name !== historyTool.name);
  return blocks.length === message.blocks.length ? message : { ...message, blocks };
}

function patternOf(query: string): RegExp {
  const words = query.trim().split(/\s+/);
  return new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('\\s+'), 'iu');
}

function excerpt(text: string, hit: RegExpExecArray): string {
  const end = hit.index + hit[0].length;
  const before = clipUnitsFromEnd(text.slice(0, hit.index), CONTEXT_UNITS);
  const after = clipUnits(text.slice(end), CONTEXT_UNITS);
  const [head, tail] = [before.length < hit.index ? '…' : '', after.length < text.length - end ? '…' : ''];
  return `${head}${before}${clipUnits(hit[0], HIT_UNITS)}${after}${tail}`.replace(/\s+/g, ' ').trim();
}

// Where the cache markers of a request stand (design section 5, step 4). Markers are no part of the stored
// conversation: they are placed anew for each request.
import type { Breakpoint, CacheTtl, ModelRequest, RequestMessage } from '../conversation/request.ts';
import { SUMMARY_SOURCE } from '../conversation/systemZone.ts';
import type { ModelCapabilities } from '../tokens/capabilities.ts';

/** The provider finds an entry at most 20 blocks before a marker; some room for blocks that a wire adds. */
const LONGEST_STEP_BLOCKS = 15;
const HOUR_MS = 60 * 60_000;

/** A block of a message that can carry a marker. */
interface Place {
  message: number;
  block: number;
}

/**
 * At most four markers, in the order of the request: the end of the static system zone (with the tools before it),
 * the end of the generation's first user message, the tail of the previous request, the tail. `previous`: the
 * markers of the last request of the same generation. Costs time only in what was added since then.
 */
export function placeBreakpoints(
  request: Pick<ModelRequest, 'system' | 'messages'>,
  { previous = [], capabilities }: { previous?: readonly Breakpoint[]; capabilities: Pick<ModelCapabilities, 'cache'> },
): Breakpoint[] {
  if (capabilities.cache.kind !== 'explicit') return [];
  const ttl: CacheTtl = capabilities.cache.ttlMs >= HOUR_MS ? '1h' : '5m';
  const { messages } = request;
  const tail = lastPlace(messages, messages.length - 1);
  const previousTail = placeOf(previous, messages);
  const marked = [standing(messages, previousTail, tail), previousTail, tail].filter((place) => place !== undefined);
  const inOrder = marked.toSorted(byPosition).filter((place, index, all) => {
    const before = all[index - 1];
    return !before || byPosition(before, place) !== 0;
  });
  return [
    ...systemBreakpoint(request, ttl),
    ...inOrder.map(({ message, block }): Breakpoint => ({ at: 'message', message, block, ttl })),
  ];
}

function systemBreakpoint({ system }: Pick<ModelRequest, 'system'>, ttl: CacheTtl): Breakpoint[] {
  const block = system.findLastIndex(({ source, text }) => source !== SUMMARY_SOURCE && text.trim() !== '');
  return block < 0 ? [] : [{ at: 'system', block, ttl }];
}

/**
 * Normally at the generation's start, where everything can be read again when the rest was lost. When one step added
 * more blocks than the look-back covers, the marker stands in between for this one request.
 */
function standing(
  messages: readonly RequestMessage[],
  previousTail: Place | undefined,
  tail: Place | undefined,
): Place | undefined {
  return (previousTail && tail && inBetween(messages, previousTail, tail)) ?? lastPlace(messages, 0);
}

/** The last place within the look-back of a marker at `from`; undefined: `to` is within it. */
function inBetween(messages: readonly RequestMessage[], from: Place, to: Place): Place | undefined {
  let reached = from;
  let steps = 0;
  for (let message = from.message; message <= to.message; message++) {
    const content = messages[message]?.content ?? [];
    const first = message === from.message ? from.block + 1 : 0;
    const end = message === to.message ? to.block + 1 : content.length;
    for (let block = first; block < end; block++) {
      steps += 1;
      if (steps > LONGEST_STEP_BLOCKS) return reached;
      if (isMarkable(content[block])) reached = { message, block };
    }
  }
  return undefined;
}

/** The last place at or before message `from`. */
function lastPlace(messages: readonly RequestMessage[], from: number): Place | undefined {
  for (let message = from; message >= 0; message--) {
    const blocks: readonly Block[] = messages[message]?.content ?? [];
    const block = blocks.findLastIndex(isMarkable);
    if (block >= 0) return { message, block };
  }
  return undefined;
}

/** The last marked place of the previous request, if it is still one. */
function placeOf(previous: readonly Breakpoint[], messages: readonly RequestMessage[]): Place | undefined {
  const last = previous.at(-1);
  if (last?.at !== 'message' || !isMarkable(messages[last.message]?.content[last.block])) return undefined;
  return { message: last.message, block: last.block };
}

type Block = RequestMessage['content'][number];

/** A thinking block cannot carry a marker. */
function isMarkable(block: Block | undefined): boolean {
  return block !== undefined && block.type !== 'thinking' && block.type !== 'redacted_thinking';
}

function byPosition(a: Place, b: Place): number {
  return a.message - b.message || a.block - b.block;
}

// Where the cache markers of a request stand (design section 5, step 4). Markers are no part of the stored
// conversation: they are placed anew for each request.
import type { Breakpoint, CacheTtl, ModelRequest, RequestMessage } from '../conversation/request.ts';
import { SUMMARY_SOURCE } from '../conversation/systemZone.ts';
import type { ModelCapabilities } from '../tokens/capabilities.ts';

/** The provider finds an entry at most 20 blocks before a marker; some room for blocks that a wire adds. */
const LONGEST_STEP_BLOCKS = 15;
const HOUR_MS = 60 * 60_000;

/** A place in the messages, also as a count of all message blocks before it. */
interface Position {
  message: number;
  block: number;
  flat: number;
}

/**
 * At most four markers, in the order of the request: the end of the static system zone (with the tools before it),
 * the end of the generation's first user message, the tail of the previous request, the tail. `previous`: the
 * markers of the last request of the same generation.
 */
export function placeBreakpoints(
  request: Pick<ModelRequest, 'system' | 'messages'>,
  { previous = [], capabilities }: { previous?: readonly Breakpoint[]; capabilities: Pick<ModelCapabilities, 'cache'> },
): Breakpoint[] {
  if (capabilities.cache.kind !== 'explicit') return [];
  const ttl: CacheTtl = capabilities.cache.ttlMs >= HOUR_MS ? '1h' : '5m';
  const places = markablePositions(request.messages);
  const tail = places.at(-1);
  const previousTail = placeOf(previous, places);
  const marked = [standing(places, previousTail, tail), previousTail, tail].filter((place) => place !== undefined);
  const inOrder = [...new Set(marked)].toSorted((a, b) => a.flat - b.flat);
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
  places: readonly Position[],
  previousTail: Position | undefined,
  tail: Position | undefined,
): Position | undefined {
  if (previousTail && tail && tail.flat - previousTail.flat > LONGEST_STEP_BLOCKS) {
    return places.findLast(({ flat }) => flat <= previousTail.flat + LONGEST_STEP_BLOCKS);
  }
  return places.findLast(({ message }) => message === 0);
}

/** A thinking block cannot carry a marker. */
function markablePositions(messages: readonly RequestMessage[]): Position[] {
  const places: Position[] = [];
  let flat = 0;
  for (const [message, { content }] of messages.entries()) {
    for (const [block, { type }] of content.entries()) {
      if (type !== 'thinking' && type !== 'redacted_thinking') places.push({ message, block, flat });
      flat += 1;
    }
  }
  return places;
}

/** The last marked place of the previous request, if it is still one. */
function placeOf(previous: readonly Breakpoint[], places: readonly Position[]): Position | undefined {
  const last = previous.at(-1);
  if (last?.at !== 'message') return undefined;
  return places.find(({ message, block }) => message === last.message && block === last.block);
}

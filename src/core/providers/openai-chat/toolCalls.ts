// Puts streamed tool calls together from fragments, as compatible servers really send them (case A5).
import type { StopReason } from '../../conversation/message.ts';
import type { CallIds } from '../callIds.ts';
import type { StreamEvent } from '../provider.ts';
import { judgeArguments } from '../toolArguments.ts';
import { JsonExtent } from './jsonExtent.ts';

/** As it arrives: every field may be missing, null or empty. */
export interface CallFragment {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
}

interface Call {
  wireIndex: number | undefined;
  wireId: string | undefined;
  name: string | undefined;
  /** The name stood before the arguments. */
  nameFirst: boolean;
  json: string;
  extent: JsonExtent;
  /** Known once the call was announced. */
  announced: { index: number; callId: string } | undefined;
}

const NAMELESS = 'unnamed';

export class ToolCallAssembler {
  readonly #calls: Call[] = [];
  readonly #callIds: CallIds;
  readonly #nextBlock: () => number;

  /** `nextBlock` numbers the blocks of the answer. */
  constructor(callIds: CallIds, nextBlock: () => number) {
    this.#callIds = callIds;
    this.#nextBlock = nextBlock;
  }

  get size(): number {
    return this.#calls.length;
  }

  add(fragment: CallFragment): StreamEvent[] {
    const name = fragment.function?.name?.trim() || undefined;
    const text = argumentText(fragment.function?.arguments);
    const call = this.#route(fragment.index ?? undefined, fragment.id?.trim() || undefined, name, text);
    if (!call) return [];
    call.json += text;
    call.extent.push(text);
    if (call.name === undefined) return [];
    if (!call.announced) return this.#announce(call, call.name);
    return text === '' ? [] : [{ type: 'tool_call_delta', index: call.announced.index, partialJson: text }];
  }

  finish(stopReason: StopReason): StreamEvent[] {
    return this.#calls.flatMap((call) => {
      const opening = call.announced ? [] : this.#announce(call, NAMELESS);
      if (!call.announced) return opening;
      const { index, callId } = call.announced;
      const judged =
        call.name === undefined
          ? { input: {}, problem: 'This call does not name a tool.' }
          : judgeArguments(call.json, stopReason);
      return [...opening, { type: 'tool_call_end' as const, index, callId, name: call.name ?? NAMELESS, ...judged }];
    });
  }

  /** The call that a fragment belongs to, a new one where it starts one, undefined for a fragment without content. */
  #route(index: number | undefined, id: string | undefined, name: string | undefined, text: string): Call | undefined {
    const current = this.#open(index, id, name === undefined && text !== '');
    const startsAnother =
      !current ||
      // Text after a whole object, or another tool's name: the server reused the index or the id for a second call.
      (current.extent.complete && text.trim() !== '') ||
      (name !== undefined && current.name !== undefined && name !== current.name);
    if (!startsAnother) {
      current.wireId ??= id;
      if (current.name === undefined && name !== undefined) {
        current.name = name;
        current.nameFirst = current.json === '';
      }
      return current;
    }
    if (id === undefined && name === undefined && text.trim() === '') return current;
    // A server that puts names first and repeats the same one has told it already, in a fragment that looked like
    // a part of the call before.
    const told = name ?? (current?.nameFirst ? current.name : undefined);
    const call: Call = {
      wireIndex: index,
      wireId: id ?? current?.wireId,
      name: told,
      nameFirst: told !== undefined,
      json: '',
      extent: new JsonExtent(),
      announced: undefined,
    };
    this.#calls.push(call);
    return call;
  }

  /** `onlyText`: the fragment carries a piece of arguments and no name. */
  #open(index: number | undefined, id: string | undefined, onlyText: boolean): Call | undefined {
    const sameIndex = index === undefined ? this.#calls : this.#calls.filter((call) => call.wireIndex === index);
    const sameId = id === undefined ? undefined : sameIndex.findLast((call) => call.wireId === id);
    if (sameId) return sameId;
    const last = sameIndex.at(-1);
    if (!last || id === undefined || last.wireId === undefined) return last;
    // Another id at the same index: a second call, or a server that makes up a fresh id for every fragment.
    return index !== undefined && onlyText && !last.extent.complete ? last : undefined;
  }

  #announce(call: Call, name: string): StreamEvent[] {
    const index = this.#nextBlock();
    const callId = this.#callIds.claim(call.wireId);
    call.announced = { index, callId };
    const start: StreamEvent = { type: 'tool_call_start', index, callId, name };
    return call.json === '' ? [start] : [start, { type: 'tool_call_delta', index, partialJson: call.json }];
  }
}

/** Some servers send the arguments as an object instead of as JSON text. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

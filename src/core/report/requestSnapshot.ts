// What one request consisted of, for the context report and for questions like "why did the cache miss?".
import type {
  ModelRef,
  ModelRequest,
  RequestAssistantBlock,
  RequestMessage,
  RequestUserBlock,
  SystemBlock,
  ToolDefinition,
} from '../conversation/request.ts';
import { isShared, SettledFold } from '../conversation/settledMessages.ts';
import { deepFrozen, isDeepFrozen } from '../platform/freeze.ts';
import { utf8Length } from '../platform/text.ts';
import { messageHash } from './messageHash.ts';

/** `summary`: the request asked for the summary of a compaction. */
export type RequestKind = 'main' | 'summary';

export interface RequestSnapshot {
  kind: RequestKind;
  /** Id of the child agent that asked; absent: the conversation itself. */
  scope?: string;
  model: ModelRef;
  /** The system zone, block by block. */
  blocks: readonly SystemBlock[];
  messages: readonly RequestMessage[];
  tools: readonly ToolDefinition[];
  /** Tokens that the answer may have. */
  maxTokens: number;
  /** One for each message: the first 4 bytes of a sha256, as 8 hex digits. */
  messageHashes: readonly string[];
  /** UTF-8 bytes of the messages: roles and contents. */
  promptBytes: number;
  /** UTF-8 bytes of the system zone. */
  blocksBytes: number;
  /** UTF-8 bytes of the tool definitions as JSON. */
  toolsBytes: number;
}

/** Over messages that can no longer change. */
const settled = new SettledFold<{ hashes: string[]; bytes: number }>(
  () => ({ hashes: [], bytes: 0 }),
  (state, message) => {
    state.hashes.push(messageHash(message));
    state.bytes += messageBytes(message);
  },
);

const snapshots = new WeakSet<RequestSnapshot>();

/**
 * Frozen to its last text: nobody who gets it can change it, and what becomes of the conversation afterwards cannot
 * reach it. It shares the messages with the conversation's own requests, which are frozen too; everything else is
 * copied. Sizes of what may be changed in place are computed anew each time.
 */
export function requestSnapshot(request: ModelRequest, model: ModelRef, kind: RequestKind): RequestSnapshot {
  const { messages, tools, system } = request;
  const { state, rest } = settled.of(messages);
  const snapshot: RequestSnapshot = Object.freeze({
    kind,
    model: deepFrozen({ ...model }),
    blocks: frozenCopy(system),
    messages: isShared(messages) ? messages : Object.freeze(messages.map(frozenCopy)),
    tools: frozenCopy(tools),
    maxTokens: request.maxOutputTokens,
    messageHashes: Object.freeze(state.hashes.concat(rest.map(messageHash))),
    promptBytes: state.bytes + total(rest, messageBytes),
    blocksBytes: total(system, ({ text }) => utf8Length(text)),
    toolsBytes: utf8Length(JSON.stringify(tools)),
  });
  snapshots.add(snapshot);
  return snapshot;
}

/** It was made by `requestSnapshot` and is as it was made. */
export function isFrozenSnapshot(snapshot: RequestSnapshot): boolean {
  return snapshots.has(snapshot);
}

/** The value itself where nothing of it can change. */
function frozenCopy<Value>(value: Value): Value {
  return isDeepFrozen(value) ? value : deepFrozen(structuredClone(value));
}

function messageBytes({ role, content }: RequestMessage): number {
  return utf8Length(role) + total<RequestUserBlock | RequestAssistantBlock>(content, blockBytes);
}

function blockBytes(block: RequestUserBlock | RequestAssistantBlock): number {
  switch (block.type) {
    case 'text':
      return utf8Length(block.text);
    case 'thinking':
      return utf8Length(block.thinking);
    case 'redacted_thinking':
      return utf8Length(block.data);
    case 'tool_call':
      return utf8Length(block.name) + utf8Length(JSON.stringify(block.input) ?? '');
    case 'tool_result':
      return utf8Length(block.content);
  }
}

function total<Item>(items: readonly Item[], bytesOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + bytesOf(item), 0);
}

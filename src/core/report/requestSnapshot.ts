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
import { utf8Length } from '../platform/text.ts';
import { messageHashes } from './messageHash.ts';

/** `summary`: the request asked for the summary of a compaction. */
export type RequestKind = 'main' | 'summary';

export interface RequestSnapshot {
  kind: RequestKind;
  /** Id of the child agent that asked; absent: the conversation itself. */
  scope?: string;
  model: ModelRef;
  /** The system zone, block by block. */
  blocks: SystemBlock[];
  messages: RequestMessage[];
  tools: ToolDefinition[];
  /** Tokens that the answer may have. */
  maxTokens: number;
  /** One for each message: the first 4 bytes of a sha256, as 8 hex digits. */
  messageHashes: string[];
  /** UTF-8 bytes of the messages: roles and contents. */
  promptBytes: number;
  /** UTF-8 bytes of the system zone. */
  blocksBytes: number;
  /** UTF-8 bytes of the tool definitions as JSON. */
  toolsBytes: number;
}

/**
 * A deep copy: what becomes of the conversation afterwards cannot reach it. Sizes are computed anew each time, since
 * a list that was changed in place is still the same list.
 */
export function requestSnapshot(request: ModelRequest, model: ModelRef, kind: RequestKind): RequestSnapshot {
  const { messages, tools, system } = request;
  return structuredClone({
    kind,
    model,
    blocks: system,
    messages,
    tools,
    maxTokens: request.maxOutputTokens,
    messageHashes: messageHashes(messages),
    promptBytes: total(messages, ({ role, content }) => utf8Length(role) + total(content, blockBytes)),
    blocksBytes: total(system, ({ text }) => utf8Length(text)),
    toolsBytes: utf8Length(JSON.stringify(tools)),
  });
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

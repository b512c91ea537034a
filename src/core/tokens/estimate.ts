// Tokens of a whole request before any calibration. Overheads: fact sheet section 5.1.
import type {
  ModelRef,
  ModelRequest,
  RequestAssistantBlock,
  RequestMessage,
  RequestUserBlock,
  SystemBlock,
  ToolDefinition,
} from '../conversation/request.ts';
import { SettledFold } from '../conversation/settledMessages.ts';
import type { Confidence, RawEstimate } from './calibration.ts';
import { type CountStrategy, type TextCounter, textCounter } from './countText.ts';
import { type TokenizerFamily, tokenizerFamily } from './family.ts';

const OVERHEAD = { request: 8, message: 4, toolCall: 6, toolSpec: 6, mapEntry: 2, listEntry: 1 };

/** Opaque data counts by its length. */
const OPAQUE_UNITS_PER_TOKEN = 4;

export interface TokenEstimate extends RawEstimate {
  /** In the order of the request; together `rawTokens`. */
  parts: { framing: number; system: number[]; tools: number[]; messages: number[] };
}

/**
 * Texts counted before cost next to nothing. The first call may come before the tokenizer is loaded: then the strategy is
 * `statistics`. Errors: TokenizerLoadError when its load has failed, on every call.
 */
export function estimateRequest(request: ModelRequest, ref: ModelRef): TokenEstimate {
  const family = tokenizerFamily(ref);
  const counter = textCounter(family);
  const parts = {
    framing: OVERHEAD.request,
    system: request.system.map((block) => systemTokens(block, counter)),
    tools: request.tools.map((tool) => toolTokens(tool, counter)),
    messages: request.messages.map((message) => messageTokens(message, counter)),
  };
  return {
    rawTokens: parts.framing + sum(parts.system) + sum(parts.tools) + sum(parts.messages),
    strategy: counter.strategy,
    confidence: confidenceOf(family, counter.strategy),
    parts,
  };
}

/** Sums over messages that can no longer change, by way of counting. */
const settledSums = new Map<string, SettledFold<{ tokens: number }>>();

/**
 * `rawTokens` of `estimateRequest`, without its parts: of a request that continues an earlier one, only the new messages
 * are counted. Errors: TokenizerLoadError.
 */
export function requestTokens(request: ModelRequest, ref: ModelRef): number {
  const family = tokenizerFamily(ref);
  const counter = textCounter(family);
  const { state, rest } = settledSum(family, counter).of(request.messages);
  return (
    OVERHEAD.request +
    sum(request.system.map((block) => systemTokens(block, counter))) +
    sum(request.tools.map((tool) => toolTokens(tool, counter))) +
    state.tokens +
    sum(rest.map((message) => messageTokens(message, counter)))
  );
}

function settledSum(family: TokenizerFamily, counter: TextCounter): SettledFold<{ tokens: number }> {
  const key = `${counter.strategy} ${family}`;
  const known = settledSums.get(key);
  if (known) return known;
  const fold = new SettledFold(
    () => ({ tokens: 0 }),
    (total, message) => {
      total.tokens += messageTokens(message, counter);
    },
  );
  settledSums.set(key, fold);
  return fold;
}

/** Tokens of one text for that model, without any overhead. Errors: TokenizerLoadError. */
export function estimateText(text: string, ref: ModelRef): number {
  return textCounter(tokenizerFamily(ref)).count(text);
}

/** Before the provider has reported: only a model's own tokenizer, and the built-in model's own rule, are trusted. */
function confidenceOf(family: TokenizerFamily, strategy: CountStrategy): Confidence {
  if (family === 'offline') return 'high';
  return family === 'o200k' && strategy === 'tokenizer' ? 'high' : 'low';
}

function systemTokens({ text }: SystemBlock, counter: TextCounter): number {
  return OVERHEAD.message + counter.count(text);
}

function toolTokens(tool: ToolDefinition, counter: TextCounter): number {
  return (
    OVERHEAD.toolSpec +
    counter.count(tool.name) +
    counter.count(tool.description) +
    valueTokens(tool.inputSchema, counter)
  );
}

function messageTokens(message: RequestMessage, counter: TextCounter): number {
  const blocks: (RequestUserBlock | RequestAssistantBlock)[] = message.content;
  // On several wires a tool result is a message of its own.
  const results = blocks.filter((block) => block.type === 'tool_result').length;
  const messages = Math.max(1, blocks.length > results ? results + 1 : results);
  return messages * OVERHEAD.message + sum(blocks.map((block) => blockTokens(block, counter)));
}

function blockTokens(block: RequestUserBlock | RequestAssistantBlock, counter: TextCounter): number {
  switch (block.type) {
    case 'text':
      return counter.count(block.text);
    case 'thinking':
      return counter.count(block.thinking);
    case 'redacted_thinking':
      return Math.ceil(block.data.length / OPAQUE_UNITS_PER_TOKEN);
    case 'tool_call':
      return (
        OVERHEAD.toolCall + counter.count(block.callId) + counter.count(block.name) + valueTokens(block.input, counter)
      );
    case 'tool_result':
      return counter.count(block.callId) + counter.count(block.content);
  }
}

function valueTokens(value: unknown, counter: TextCounter): number {
  if (Array.isArray(value)) return sum(value.map((item) => OVERHEAD.listEntry + valueTokens(item, counter)));
  if (typeof value === 'object' && value !== null) {
    return sum(
      Object.entries(value).map(([key, item]) => OVERHEAD.mapEntry + counter.count(key) + valueTokens(item, counter)),
    );
  }
  return value === undefined ? 0 : counter.count(String(value));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

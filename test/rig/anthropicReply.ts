// A scripted reply as the Messages API sends it: as events, or as one message.
import { errorBody } from './errors.ts';
import { isRecord, type JsonRecord } from './json.ts';
import type { UsageGiven } from './log.ts';
import { argumentFragments, stopReason } from './replyContent.ts';
import type { EventName, Part, Reply, StopReason } from './script.ts';
import { TurnSealer } from './signature.ts';
import type { StreamItem } from './stream.ts';

interface AnthropicReplyContext {
  messageId: string;
  model: string;
  /** The last of `hashesBefore` of the request: what the thinking is bound to. */
  boundTo: string;
  /** Undefined: no usage is reported. */
  usage: UsageGiven | undefined;
}

interface ContentBlock {
  /** As in `content_block_start`. */
  start: JsonRecord;
  deltas: JsonRecord[];
  /** As in a message that is not streamed. */
  whole: JsonRecord;
}

const stopReasons: Record<StopReason, string> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  context_exceeded: 'model_context_window_exceeded',
};

export function* anthropicEvents(reply: Reply, context: AnthropicReplyContext): Generator<StreamItem> {
  const usage = usageBody(context.usage);
  const startUsage = usage && { ...usage, output_tokens: Math.min(1, context.usage?.output ?? 0) };
  yield event('message_start', { message: { ...message(context), content: [], stop_reason: null, usage: startUsage } });
  yield event('ping', {});
  let index = 0;
  for (const item of contentOf(reply, context)) {
    if ('pause' in item) {
      yield item;
      continue;
    }
    yield event('content_block_start', { index, content_block: item.start });
    for (const delta of item.deltas) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
    index++;
  }
  yield event('message_delta', { delta: { stop_reason: stopReasons[stopReason(reply)], stop_sequence: null }, usage });
  yield event('message_stop', {});
}

export function anthropicMessage(reply: Reply, context: AnthropicReplyContext): JsonRecord {
  const content = contentOf(reply, context).flatMap((item) => ('pause' in item ? [] : [item.whole]));
  return { ...message(context), content, stop_reason: stopReasons[stopReason(reply)], usage: usageBody(context.usage) };
}

/** An `error` event in the stream of a reply that had begun with status 200. */
export function anthropicErrorEvent(status: number): string {
  return `event: error\ndata: ${JSON.stringify(errorBody('anthropic', status))}\n\n`;
}

function contentOf(reply: Reply, { messageId, boundTo }: AnthropicReplyContext): (ContentBlock | { pause: number })[] {
  const thoughts = reply.parts.filter((part) => part.kind === 'thinking' || part.kind === 'redacted').length;
  const sealer = new TurnSealer(messageId, thoughts, boundTo);
  let calls = 0;
  return reply.parts.map((part) => {
    if (part.kind === 'call') calls++;
    return part.kind === 'pause' ? { pause: part.ms } : contentBlock(part, sealer, calls);
  });
}

function contentBlock(part: Exclude<Part, { kind: 'pause' }>, sealer: TurnSealer, callsBefore: number): ContentBlock {
  switch (part.kind) {
    case 'text': {
      const whole = { type: 'text', text: part.pieces.join(''), citations: null };
      const deltas = part.pieces.map((text) => ({ type: 'text_delta', text }));
      return { whole, deltas, start: { ...whole, text: '' } };
    }
    case 'thinking': {
      const thinking = part.pieces.join('');
      const signature = sealer.seal(thinking, callsBefore, false);
      const deltas = part.pieces.map((piece): JsonRecord => ({ type: 'thinking_delta', thinking: piece }));
      return {
        whole: { type: 'thinking', thinking, signature },
        deltas: [...deltas, { type: 'signature_delta', signature }],
        start: { type: 'thinking', thinking: '', signature: '' },
      };
    }
    case 'redacted': {
      const whole = { type: 'redacted_thinking', data: sealer.seal(part.hidden, callsBefore, true) };
      return { whole, deltas: [], start: whole };
    }
    case 'call': {
      const fragments = argumentFragments(part);
      const start = { type: 'tool_use', id: part.id, name: part.name, input: {}, caller: { type: 'direct' } };
      const deltas = ['', ...fragments].map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
      return { whole: { ...start, input: parsedArguments(fragments.join('')) }, deltas, start };
    }
  }
}

function parsedArguments(json: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function message({ messageId, model }: AnthropicReplyContext): JsonRecord {
  return { id: messageId, type: 'message', role: 'assistant', model, stop_sequence: null, container: null };
}

function usageBody(usage: UsageGiven | undefined): JsonRecord | undefined {
  return (
    usage && {
      input_tokens: usage.input,
      cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation: {
        ephemeral_5m_input_tokens: usage.cacheWrite5m,
        ephemeral_1h_input_tokens: usage.cacheWrite1h,
      },
      output_tokens: usage.output,
      service_tier: 'standard',
    }
  );
}

function event(name: EventName, data: JsonRecord): StreamItem {
  return { name, bytes: `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n` };
}

// A scripted reply as Chat Completions sends it: as chunks, with the oddities of compatible servers (case A5) that
// the script asks for, or as one completion.
import { errorBody } from './errors.ts';
import type { JsonRecord } from './json.ts';
import type { UsageGiven } from './log.ts';
import { argumentFragments, type Call, stopReason } from './replyContent.ts';
import type { EventName, Reply, StopReason } from './script.ts';
import type { StreamItem } from './stream.ts';

interface OpenAiReplyContext {
  completionId: string;
  model: string;
  /** Undefined: no usage is reported. */
  usage: UsageGiven | undefined;
}

const finishReasons: Record<StopReason, string> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
  context_exceeded: 'length',
};

export function* openAiChunks(reply: Reply, context: OpenAiReplyContext): Generator<StreamItem> {
  const usage = usageBody(context.usage);
  const usageWithFinish = reply.usage === 'with_finish';
  const noUsage = usage && !usageWithFinish ? { usage: null } : {};
  const chunk = (name: EventName, delta: JsonRecord, finish: string | null = null, more: JsonRecord = noUsage) =>
    toItem(name, { ...head(context), choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }], ...more });

  yield chunk('role', { role: 'assistant', content: '' });
  for (const step of deltasOf(reply)) {
    if ('pause' in step) yield step;
    else if ('calls' in step) yield chunk('tool_calls', { tool_calls: [step.calls] });
    else yield chunk('content', step.delta);
  }
  const finish = finishReasons[stopReason(reply)];
  yield chunk('finish', {}, finish, usageWithFinish && usage ? { usage } : noUsage);
  if (usage && !usageWithFinish) yield toItem('usage', { ...head(context), choices: [], usage });
  yield { name: 'done', bytes: 'data: [DONE]\n\n' };
}

export function openAiCompletion(reply: Reply, context: OpenAiReplyContext): JsonRecord {
  const text = reply.parts.flatMap((part) => (part.kind === 'text' ? part.pieces : [])).join('');
  const calls = callsOf(reply).map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentFragments(call).join('') },
  }));
  const message = { role: 'assistant', content: text === '' ? null : text, refusal: null };
  return {
    ...head(context),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
        finish_reason: finishReasons[stopReason(reply)],
        logprobs: null,
      },
    ],
    usage: usageBody(context.usage),
  };
}

/** An error in the stream of a reply that had begun with status 200. */
export function openAiErrorChunk(status: number): string {
  return `data: ${JSON.stringify(errorBody('openai', status))}\n\n`;
}

type Step = { pause: number } | { delta: JsonRecord } | { calls: JsonRecord };

function* deltasOf(reply: Reply): Generator<Step> {
  const calls = callsOf(reply);
  let interleaved = false;
  for (const part of reply.parts) {
    if (part.kind === 'pause') yield { pause: part.ms };
    else if (part.kind === 'text') for (const content of part.pieces) yield { delta: { content } };
    else if (part.kind === 'thinking') for (const piece of part.pieces) yield { delta: { reasoning_content: piece } };
    else if (part.kind === 'call' && !reply.interleave)
      for (const fragment of callFragments(part, calls.indexOf(part))) yield { calls: fragment };
    else if (part.kind === 'call' && !interleaved) {
      interleaved = true;
      for (const fragment of alternate(calls.map((call, number) => callFragments(call, number))))
        yield { calls: fragment };
    }
  }
}

/** The entries of `tool_calls` that carry one call, in order. */
function callFragments(call: Call, number: number): JsonRecord[] {
  const index = call.index === 'missing' ? {} : { index: call.index ?? number };
  const id = { id: call.id, type: 'function' };
  const repeatedId = call.idOn === 'every' ? id : {};
  const first = {
    ...index,
    ...id,
    function: call.nameOn === 'last' ? { arguments: '' } : { name: call.name, arguments: '' },
  };
  const rest = argumentFragments(call).map((piece) => ({ ...index, ...repeatedId, function: { arguments: piece } }));
  const last = call.nameOn === 'last' ? [{ ...index, ...repeatedId, function: { name: call.name } }] : [];
  return [first, ...rest, ...last];
}

function* alternate<T>(rows: T[][]): Generator<T> {
  const longest = Math.max(0, ...rows.map((row) => row.length));
  for (let at = 0; at < longest; at++) for (const row of rows) yield* row.slice(at, at + 1);
}

function callsOf(reply: Reply): Call[] {
  return reply.parts.filter((part) => part.kind === 'call');
}

function head({ completionId, model }: OpenAiReplyContext): JsonRecord {
  return { id: completionId, object: 'chat.completion.chunk', created: 1_796_000_000, model };
}

function usageBody(usage: UsageGiven | undefined): JsonRecord | undefined {
  if (!usage) return undefined;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

function toItem(name: EventName, data: JsonRecord): StreamItem {
  return { name, bytes: `data: ${JSON.stringify(data)}\n\n` };
}

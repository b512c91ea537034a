// The neutral request as a Chat Completions body. Pure: the same request gives the same bytes (design invariant 2).
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelRequest, RequestAssistantBlock, RequestMessage } from '../../conversation/request.ts';
import { shortCallId, wireToolName } from '../wireNames.ts';

/** OpenAI refuses longer ids of tool calls. Characters. */
const LONGEST_CALL_ID = 40;

/** `official`: OpenAI's own API; compatible servers may refuse fields they do not know. */
export function toOpenAiParams(
  request: ModelRequest,
  { official }: { official: boolean },
): ChatCompletionCreateParamsStreaming {
  return {
    model: request.model,
    // One system message: some servers accept no second one, and the joined text is as good a cache prefix.
    messages: [...systemMessage(request), ...request.messages.flatMap(toMessages)],
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map((tool) => ({
            type: 'function' as const,
            function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
          })),
        }),
    ...(official ? { max_completion_tokens: request.maxOutputTokens } : { max_tokens: request.maxOutputTokens }),
    ...(official ? { prompt_cache_key: request.cacheKey } : {}),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function systemMessage(request: ModelRequest): ChatCompletionMessageParam[] {
  const content = joined(request.system);
  return content === '' ? [] : [{ role: 'system', content }];
}

function toMessages(message: RequestMessage): ChatCompletionMessageParam[] {
  if (message.role === 'assistant') return assistantMessage(message.content);
  const results = message.content.flatMap((block): ChatCompletionMessageParam[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: shortCallId(block.callId, LONGEST_CALL_ID), content: block.content }]
      : [],
  );
  const text = joined(message.content.flatMap((block) => (block.type === 'text' ? [block] : [])));
  return text === '' ? results : [...results, { role: 'user', content: text }];
}

/** Thinking has no place on this wire: it is left out. */
function assistantMessage(content: RequestAssistantBlock[]): ChatCompletionMessageParam[] {
  const text = joined(content.flatMap((block) => (block.type === 'text' ? [block] : [])));
  const calls = content.flatMap((block) =>
    block.type === 'tool_call'
      ? [
          {
            id: shortCallId(block.callId, LONGEST_CALL_ID),
            type: 'function' as const,
            function: { name: wireToolName(block.name), arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  if (text === '' && calls.length === 0) return [];
  return [
    { role: 'assistant', content: text === '' ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
  ];
}

/** Blank blocks are dropped: the wire refuses them (rule R2). */
function joined(blocks: { text: string }[]): string {
  return blocks
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

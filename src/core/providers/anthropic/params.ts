// The neutral request as a Messages body. Pure: the same request gives the same bytes (design invariant 2).
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type {
  Breakpoint,
  ModelRequest,
  RequestAssistantBlock,
  RequestMessage,
  RequestUserBlock,
  ToolDefinition,
} from '../../conversation/request.ts';
import { plainCallId, wireToolName } from '../wireNames.ts';
import { thinkingFor } from './thinking.ts';

type RequestBlock = RequestUserBlock | RequestAssistantBlock;

export function toAnthropicParams(request: ModelRequest): MessageCreateParamsStreaming {
  const { model, thinkingBudget, maxOutputTokens, thinkingLost } = request;
  const thinking = thinkingFor(model, thinkingBudget, maxOutputTokens, thinkingLost);
  const system = systemBlocks(request);
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toTool) }),
    ...(system.length === 0 ? {} : { system }),
    messages: request.messages.map((message, index) => toMessage(request, message, index)),
    ...(thinking ? { thinking } : {}),
    stream: true,
  };
}

function toTool(tool: ToolDefinition): Tool {
  return {
    name: tool.name,
    description: tool.description,
    // The SDK's type wants the literal here; every tool of ours has an object as its arguments.
    input_schema: { ...tool.inputSchema, type: 'object' },
  };
}

function systemBlocks(request: ModelRequest): TextBlockParam[] {
  return request.system.flatMap((block, index): TextBlockParam[] =>
    isBlank(block.text)
      ? []
      : [{ type: 'text', text: block.text, ...marker(request.breakpoints, { at: 'system', block: index }) }],
  );
}

function toMessage(request: ModelRequest, message: RequestMessage, index: number): MessageParam {
  const blocks: readonly RequestBlock[] = message.content;
  const content = blocks.flatMap((block, blockIndex): ContentBlockParam[] => {
    const mapped = toBlock(block);
    if (!mapped) return [];
    // Thinking cannot carry a marker.
    if (mapped.type === 'thinking' || mapped.type === 'redacted_thinking') return [mapped];
    return [{ ...mapped, ...marker(request.breakpoints, { at: 'message', message: index, block: blockIndex }) }];
  });
  return { role: message.role, content };
}

/** Undefined: the wire would refuse the block (a blank text, rule R2; thinking of another provider, unsigned). */
function toBlock(block: RequestBlock): ContentBlockParam | undefined {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? undefined : { type: 'text', text: block.text };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: plainCallId(block.callId),
        content: block.content,
        ...(block.isError ? { is_error: true } : {}),
      };
    case 'tool_call':
      return { type: 'tool_use', id: plainCallId(block.callId), name: wireToolName(block.name), input: block.input };
    case 'thinking':
      return block.signature === ''
        ? undefined
        : { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
  }
}

type Place = { at: 'system'; block: number } | { at: 'message'; message: number; block: number };

function marker(breakpoints: Breakpoint[], place: Place): { cache_control?: CacheControlEphemeral } {
  const found = breakpoints.find(
    (breakpoint) =>
      breakpoint.at === place.at &&
      breakpoint.block === place.block &&
      (breakpoint.at === 'system' || (place.at === 'message' && breakpoint.message === place.message)),
  );
  return found ? { cache_control: { type: 'ephemeral', ttl: found.ttl } } : {};
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

// What a test wants to know of an Anthropic request that the rig has logged.
import type { LoggedRequest } from '../rig/log.ts';

export interface SentResult {
  callId: string;
  text: string;
  isError: boolean;
}

interface Content {
  type: string;
  text?: string;
  tool_use_id?: string;
  is_error?: boolean;
  content?: string | Content[];
}

/** Every tool result of the request, in order. */
export function sentResults(request: LoggedRequest): SentResult[] {
  return contents(request).flatMap(({ type, tool_use_id, is_error, content }) =>
    type === 'tool_result' && tool_use_id !== undefined
      ? { callId: tool_use_id, text: textOf(content), isError: is_error ?? false }
      : [],
  );
}

function contents(request: LoggedRequest): Content[] {
  const { messages } = request.body as { messages: { content: string | Content[] }[] };
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

function textOf(content: Content['content']): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map(({ text }) => text ?? '').join('');
}

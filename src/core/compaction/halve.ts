// Copies of messages with their largest text cut, for a summary request that does not fit otherwise. What is stored
// stays as it is.
import cutTemplate from '../../../templates/compaction/cut.md';
import type { AssistantBlock, Message, UserPart } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { clipUnits, clipUnitsFromEnd } from '../platform/text.ts';

/** A text this short is not cut: there is nothing to gain. UTF-16 units. */
const SHORTEST_CUT = 400;

/** Undefined: no text is long enough to be cut. Skill parts and thinking are left alone. */
export function largestHalved(messages: readonly Message[]): Message[] | undefined {
  const longest = Math.max(...messages.flatMap(lengths), 0);
  if (longest < SHORTEST_CUT) return undefined;
  return messages.map((message) => (lengths(message).includes(longest) ? halved(message, longest) : message));
}

function lengths(message: Message): number[] {
  switch (message.role) {
    case 'tool':
      return [message.content.length];
    case 'user':
      return message.parts.flatMap((part) => ('text' in part ? [part.text.length] : []));
    case 'assistant':
      return message.blocks.flatMap((block) => {
        if (block.type === 'text') return [block.text.length];
        return block.type === 'tool_call' ? [inputText(block.input).length] : [];
      });
  }
}

function halved(message: Message, length: number): Message {
  const cut = (text: string) => (text.length === length ? withoutMiddle(text) : text);
  switch (message.role) {
    case 'tool':
      return { ...message, content: cut(message.content) };
    case 'user':
      return {
        ...message,
        parts: message.parts.map((part): UserPart => ('text' in part ? { ...part, text: cut(part.text) } : part)),
      };
    case 'assistant':
      return {
        ...message,
        blocks: message.blocks.map((block): AssistantBlock => {
          if (block.type === 'text') return { ...block, text: cut(block.text) };
          if (block.type !== 'tool_call' || inputText(block.input).length !== length) return block;
          return { ...block, input: { cut: withoutMiddle(inputText(block.input)) } };
        }),
      };
  }
}

function withoutMiddle(text: string): string {
  const quarter = Math.floor(text.length / 4);
  const [head, tail] = [clipUnits(text, quarter), clipUnitsFromEnd(text, quarter)];
  const characters = String(text.length - head.length - tail.length);
  return `${head}\n${fill(cutTemplate, { characters })}\n${tail}`;
}

function inputText(input: unknown): string {
  return JSON.stringify(input) ?? '';
}

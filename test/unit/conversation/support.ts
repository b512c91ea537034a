// Small conversations, written as a list of steps.
import type { Generation, GenerationHead, GenerationView } from '../../../src/core/conversation/generation.ts';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolMessage,
  UserMessage,
  UserPart,
} from '../../../src/core/conversation/message.ts';
import type {
  RequestAssistantBlock,
  RequestMessage,
  RequestUserBlock,
} from '../../../src/core/conversation/request.ts';

export const head: GenerationHead = {
  model: { provider: 'anthropic', model: 'claude-opus-5-5' },
  system: [{ source: 'preamble', text: 'You are a coding agent.' }],
  tools: [{ name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } }],
  sessionDate: 'Session date: 2026-12-01.',
  sourceHashes: {},
};

export function generation(change: Partial<Generation> = {}): Generation {
  return { id: 1, kind: 'start', at: 0, head, carried: [], retained: [], ...change };
}

let count = 0;
const nextId = (prefix: string) => `${prefix}_${++count}`;

export function user(content: string | UserPart[], turn = 1): UserMessage {
  const parts: UserPart[] = typeof content === 'string' ? [{ kind: 'text', text: content }] : content;
  return { id: nextId('user'), role: 'user', at: 0, turn, parts };
}

export function assistant(blocks: AssistantBlock[], change: Partial<AssistantMessage> = {}): AssistantMessage {
  const stopReason = blocks.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn';
  return { id: nextId('answer'), role: 'assistant', at: 0, turn: 1, model: head.model, blocks, stopReason, ...change };
}

export function says(text: string, turn = 1): AssistantMessage {
  return assistant([{ type: 'text', text }], { turn });
}

export function call(callId: string, input: unknown = {}, name = 'read'): AssistantBlock {
  return { type: 'tool_call', callId, name, input };
}

export function result(
  callId: string,
  content = `content of ${callId}`,
  change: Partial<ToolMessage> = {},
): ToolMessage {
  return { id: nextId('tool'), role: 'tool', at: 0, turn: 1, callId, name: 'read', status: 'ok', content, ...change };
}

export function lineageOf(messages: readonly Message[], first: Generation = generation()): Lineage {
  const lineage = new Lineage();
  lineage.addGeneration(first);
  for (const message of messages) lineage.append(message);
  return lineage;
}

export function viewOf(messages: readonly Message[], first?: Generation): GenerationView {
  return lineageOf(messages, first).view();
}

export type PlacedBlock = { role: 'user' | 'assistant' } & (RequestUserBlock | RequestAssistantBlock);

/** Blocks with their roles: where one message ends and the next of the same role begins does not count. */
export function placedBlocks(messages: readonly RequestMessage[]): PlacedBlock[] {
  return messages.flatMap(({ role, content }): PlacedBlock[] => content.map((block) => ({ role, ...block })));
}

export function userTexts(messages: readonly RequestMessage[]): string[] {
  return placedBlocks(messages).flatMap((block) =>
    block.role === 'user' && block.type === 'text' ? [block.text] : [],
  );
}

/** Rules R1-R3 of the cases, on the neutral request. What is wrong, or undefined. */
export function brokenRule(messages: readonly RequestMessage[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return `message ${index} has the role ${role}`;
    if (content.length === 0) return `message ${index} is empty`;
    const calls = content.flatMap((block) => (block.type === 'tool_call' ? [block.callId] : []));
    for (const id of calls) {
      if (seen.has(id) || id === '') return `call id ${JSON.stringify(id)} is not unique`;
      seen.add(id);
    }
    if (calls.join() !== resultIds(messages[index + 1]).join()) return `the calls of message ${index} are not answered`;
    if (role === 'user' && index === 0 && resultIds({ role, content }).length > 0) return 'an orphan stands first';
    const firstOther = content.findIndex((block) => block.type !== 'tool_result');
    if (firstOther >= 0 && content.slice(firstOther).some((block) => block.type === 'tool_result')) {
      return `a result stands after text in message ${index}`;
    }
    const blank = content.some(
      (block) =>
        (block.type === 'text' && block.text.trim() === '') ||
        (block.type === 'tool_result' && block.content.trim() === ''),
    );
    if (blank) return `blank text in message ${index}`;
    if (/\\ud[89a-f]/i.test(JSON.stringify(content))) return `a lone surrogate in message ${index}`;
  }
  const last = messages.at(-1);
  const lastBlock = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (lastBlock?.type === 'text' && /\s$/.test(lastBlock.text)) return 'the last text ends in white space';
  return undefined;
}

function resultIds(message: RequestMessage | undefined): string[] {
  if (message?.role !== 'user') return [];
  return message.content.flatMap((block) => (block.type === 'tool_result' ? [block.callId] : []));
}

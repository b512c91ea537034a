// Conversations of any length as an agent has them: a question, rounds of two reads with their results, an answer. Every
// text is unique, so that no cache by text can stand in for work that was avoided.
import type { GenerationHead } from '../../../src/core/conversation/generation.ts';
import type { AssistantBlock, AssistantMessage, Message, ToolMessage } from '../../../src/core/conversation/message.ts';

const WORDS =
  'the file holds a list of names and const value = read(path) return index + 1 if not found else null'.split(' ');

export const head: GenerationHead = {
  model: { provider: 'anthropic', model: 'claude-sonnet-5-5' },
  system: [
    { source: 'preamble', text: prose(1, 6_000) },
    { source: 'project_agents_md', path: '/project/AGENTS.md', text: prose(2, 4_000) },
  ],
  tools: ['bash', 'edit', 'glob', 'grep', 'history', 'list', 'read', 'write'].map((name, index) => ({
    name,
    description: prose(10 + index, 700),
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: prose(20 + index, 80) } } },
  })),
  sessionDate: 'Session date: 2026-12-01.',
  sourceHashes: {},
};

/** Model calls of one turn, the last of which answers in words. */
const CALLS_PER_TURN = 10;
const READS_PER_CALL = 2;
/** UTF-16 units. */
const RESULT_UNITS = 600;

/** Message `index` of the conversation; the same one each time, whatever was asked for before. */
export function messageAt(index: number): Message {
  const perCall = 1 + READS_PER_CALL;
  const perTurn = 2 + (CALLS_PER_TURN - 1) * perCall;
  const turn = Math.floor(index / perTurn) + 1;
  const place = index % perTurn;
  if (place === 0) {
    return { id: `user_${index}`, role: 'user', at: index, turn, parts: [{ kind: 'text', text: prose(index, 200) }] };
  }
  if (place === perTurn - 1) return answer(index, turn, [{ type: 'text', text: prose(index, 400) }]);
  const step = (place - 1) % perCall;
  return step === 0 ? answer(index, turn, readsAt(index)) : readResult(index, turn, index - step, step - 1);
}

export function conversation(length: number): Message[] {
  return Array.from({ length }, (_, index) => messageAt(index));
}

function answer(index: number, turn: number, blocks: AssistantBlock[]): AssistantMessage {
  const stopReason = blocks.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn';
  return { id: `answer_${index}`, role: 'assistant', at: index, turn, model: head.model, blocks, stopReason };
}

function readsAt(index: number): AssistantBlock[] {
  const reads = Array.from({ length: READS_PER_CALL }, (_, read): AssistantBlock => {
    const input = { path: pathOf(index, read), offset: index };
    return { type: 'tool_call', callId: callIdOf(index, read), name: 'read', input };
  });
  return [{ type: 'text', text: prose(index, 120) }, ...reads];
}

function readResult(index: number, turn: number, call: number, read: number): ToolMessage {
  const detail = {
    path: pathOf(call, read),
    fileHash: `hash of ${call} ${read}`,
    lines: { start: 1, end: 12, total: 12 },
  };
  const callId = callIdOf(call, read);
  const content = prose(index, RESULT_UNITS);
  return { id: `tool_${index}`, role: 'tool', at: index, turn, callId, name: 'read', status: 'ok', content, detail };
}

function callIdOf(index: number, read: number): string {
  return `call_${index}_${read}`;
}

function pathOf(index: number, read: number): string {
  return `/project/src/module${index}/file${read}.ts`;
}

/** Text of that many UTF-16 units, nearly; another one for each seed. */
function prose(seed: number, units: number): string {
  let state = (seed + 1) * 2_654_435_761;
  const words = [`${seed}:`];
  for (let length = words.length; length < units; length += (words.at(-1)?.length ?? 0) + 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words.push(`${WORDS[state % WORDS.length]}${state % 7 === 0 ? `_${state % 1_000}` : ''}`);
  }
  // Joined at once: a text that grew word by word would be kept by V8 as a chain of pieces.
  return words.join(' ');
}

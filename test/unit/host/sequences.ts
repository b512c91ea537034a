// Random stretches of a session, each as the events it raises and the records it leaves.
import fc from 'fast-check';
import type { AgentEvent } from '../../../src/core/agent/events.ts';
import type { Generation } from '../../../src/core/conversation/generation.ts';
import type {
  AssistantBlock,
  Message,
  ToolCallBlock,
  ToolStatus,
  UserPart,
} from '../../../src/core/conversation/message.ts';
import { assistant, generation, result, user } from '../conversation/support.ts';
import { approvalOf, delta, started, titleOf } from './support.ts';

export interface Stretch {
  events: AgentEvent[];
  entries: (Message | Generation)[];
}

type Answer = 'once' | 'session' | 'deny' | 'cancelled';

interface CallPlan {
  answer: Answer | undefined;
  progress: string[];
  status: 'ok' | 'error' | 'interrupted';
  content: string;
  unreadable: boolean;
  detail: boolean;
}

type BlockPlan =
  | { kind: 'text' | 'thinking'; text: string; cuts: number[]; streamed: boolean; stored: boolean }
  | { kind: 'redacted' }
  | { kind: 'call'; plan: CallPlan };

interface AnswerPlan {
  blocks: BlockPlan[];
  /** How many deltas of each failed attempt had come. */
  failures: number[];
  incomplete: boolean;
  notice: boolean;
  order: number[];
}

const text = fc.oneof(
  fc.constantFrom('', ' ', '\n\n', 'Done. \n ', '  indented', '📁 Ordner', '\n\n# Title'),
  fc.string({ maxLength: 12, unit: 'binary' }),
);

const longText = fc.oneof(
  text,
  fc.integer({ min: 7_996, max: 8_004 }).map((length) => `${'x'.repeat(length)}📁 tail`),
);

const call: fc.Arbitrary<CallPlan> = fc.record({
  answer: fc.option(fc.constantFrom<Answer>('once', 'session', 'deny', 'cancelled'), { nil: undefined }),
  progress: fc.array(longText, { maxLength: 3 }),
  status: fc.constantFrom('ok', 'error', 'interrupted'),
  content: longText,
  unreadable: fc.boolean(),
  detail: fc.boolean(),
});

const block: fc.Arbitrary<BlockPlan> = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    text,
    cuts: fc.array(fc.nat(12), { maxLength: 3 }),
    streamed: fc.constant(true),
    stored: fc.constant(true),
  }),
  fc.record({
    kind: fc.constant('thinking' as const),
    text,
    cuts: fc.array(fc.nat(12), { maxLength: 3 }),
    streamed: fc.boolean(),
    stored: fc.boolean(),
  }),
  fc.constant<BlockPlan>({ kind: 'redacted' }),
  call.map((plan): BlockPlan => ({ kind: 'call', plan })),
);

const answer: fc.Arbitrary<AnswerPlan> = fc.record({
  blocks: fc.array(block, { maxLength: 6 }),
  failures: fc.array(fc.nat(6), { maxLength: 2 }),
  incomplete: fc.boolean(),
  notice: fc.boolean(),
  order: fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
});

const part: fc.Arbitrary<UserPart> = fc.oneof(
  { weight: 3, arbitrary: text.map((value): UserPart => ({ kind: 'text', text: value })) },
  text.map((value): UserPart => ({ kind: 'note', subject: 'environment', text: value })),
  fc.constant<UserPart>({ kind: 'mode_notice', mode: 'plan', text: 'plan' }),
  fc.constant<UserPart>({ kind: 'skill_activation', name: 'review', body: 'x' }),
  fc.constant<UserPart>({ kind: 'skill_deactivation', name: 'review', body: '' }),
);

const stretch: fc.Arbitrary<() => Stretch> = fc.oneof(
  { weight: 2, arbitrary: fc.array(part, { maxLength: 3 }).map((parts) => () => userStretch(parts)) },
  { weight: 4, arbitrary: answer.map((plan) => () => answerStretch(plan)) },
  fc.constantFrom('summary' as const, 'rebased' as const).map((kind) => () => generationStretch(kind)),
);

/** Ids are given out while a case is built, so they never repeat within one. */
export const stretches: fc.Arbitrary<Stretch[]> = fc
  .array(stretch, { maxLength: 8 })
  .map((builders) => builders.map((build) => build()));

let count = 0;

function userStretch(parts: UserPart[]): Stretch {
  const message = user(parts);
  return { events: [{ type: 'user_message', message }], entries: [message] };
}

function generationStretch(kind: 'summary' | 'rebased'): Stretch {
  count += 1;
  const made = generation({ id: count, kind, ...(kind === 'summary' ? { summary: 'so far' } : {}) });
  return { events: [{ type: 'generation', generation: made }], entries: [made] };
}

function answerStretch(plan: AnswerPlan): Stretch {
  count += 1;
  const messageId = `answer ${count}`;
  const placed = plan.blocks.map((each, index) => ({
    each,
    index,
    stored: storedBlock(each, `call ${count}.${index}`),
  }));
  // As the core does it: what is not stored leaves no gap, so later blocks stand at other places than they streamed at.
  const blocks = placed.flatMap(({ stored }): AssistantBlock[] => (stored ? [stored] : []));
  const deltas = interleaved(
    placed.map(({ each, index }) => chunksOf(each).map((chunk) => delta(messageId, index, chunk.text, chunk.kind))),
    plan.order,
  );
  const message = assistant(blocks, { id: messageId, at: count, ...(plan.incomplete ? { incomplete: true } : {}) });
  const notice: AgentEvent[] = plan.notice ? [{ type: 'notice', severity: 'info', message: 'Saved again.' }] : [];
  const runs = placed.flatMap(({ each, stored }) =>
    each.kind === 'call' && stored?.type === 'tool_call' ? [callEvents(stored, each.plan)] : [],
  );
  const toolEvents = interleaved(runs, plan.order);
  return {
    events: [
      ...plan.failures.flatMap((length): AgentEvent[] => [
        started(messageId),
        ...deltas.slice(0, length),
        { type: 'assistant_discarded', messageId },
      ]),
      started(messageId),
      ...deltas.slice(0, 2),
      ...notice,
      ...deltas.slice(2),
      { type: 'assistant_message', message },
      ...toolEvents,
    ],
    entries: [message, ...toolEvents.flatMap((event) => (event.type === 'tool_finished' ? [event.message] : []))],
  };
}

function storedBlock(plan: BlockPlan, callId: string): AssistantBlock | undefined {
  switch (plan.kind) {
    case 'text':
      return { type: 'text', text: plan.text };
    case 'thinking':
      return plan.stored ? { type: 'thinking', thinking: plan.text, signature: 's' } : undefined;
    case 'redacted':
      return { type: 'redacted_thinking', data: 'x' };
    case 'call': {
      const problem = plan.plan.unreadable ? { problem: 'cut off' } : {};
      return { type: 'tool_call', callId, name: 'bash', input: {}, ...problem };
    }
  }
}

function chunksOf(plan: BlockPlan): { kind: 'text' | 'thinking'; text: string }[] {
  if ((plan.kind !== 'text' && plan.kind !== 'thinking') || !plan.streamed) return [];
  const ends = [...plan.cuts.filter((cut) => cut < plan.text.length).toSorted((a, b) => a - b), plan.text.length];
  return ends.map((end, index) => ({ kind: plan.kind, text: plan.text.slice(ends[index - 1] ?? 0, end) }));
}

function callEvents(block: ToolCallBlock, plan: CallPlan): AgentEvent[] {
  const { callId } = block;
  const detail = plan.detail ? { detail: { title: 'lines 1-4', exitCode: 1, diff: '@@', path: '/a.ts' } } : {};
  const finished = (status: ToolStatus): AgentEvent => ({
    type: 'tool_finished',
    message: result(callId, plan.content, { name: 'bash', status, ...detail }),
  });
  if (plan.unreadable) return [finished('error')];
  const question = approvalOf(callId);
  const asked: AgentEvent[] =
    plan.answer && question.type === 'approval_requested'
      ? [question, { type: 'approval_resolved', id: question.request.id, answer: plan.answer }]
      : [];
  const progress = plan.progress.map((each): AgentEvent => ({ type: 'tool_progress', callId, text: each }));
  const refused = REFUSED[plan.answer ?? 'once'];
  return [
    { type: 'tool_started', call: block, title: titleOf(block) },
    ...asked,
    ...(refused ? [] : progress),
    finished(refused ?? plan.status),
  ];
}

const REFUSED: Record<Answer, ToolStatus | undefined> = {
  once: undefined,
  session: undefined,
  deny: 'denied',
  cancelled: 'interrupted',
};

/** Takes one item at a time from the queue that `order` points at; each queue keeps its own order. */
function interleaved<Item>(queues: readonly (readonly Item[])[], order: readonly number[]): Item[] {
  const rest = queues.map((queue) => [...queue]).filter((queue) => queue.length > 0);
  const taken: Item[] = [];
  for (let step = 0; rest.length > 0; step++) {
    const position = (order[step % order.length] ?? 0) % rest.length;
    taken.push(...(rest[position]?.splice(0, 1) ?? []));
    if (rest[position]?.length === 0) rest.splice(position, 1);
  }
  return taken;
}

// Random conversations as a driver could record them, with everything that goes wrong in real ones.
import fc from 'fast-check';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { AssistantBlock, UserPart } from '../../../src/core/conversation/message.ts';
import { interruptedResults } from '../../../src/core/conversation/repair.ts';
import { assistant, generation, result, user } from './support.ts';

export type Step =
  | { kind: 'user'; parts: UserPart[] }
  | {
      kind: 'answer';
      blocks: AssistantBlock[];
      incomplete: boolean;
      /** Sort keys: the order in which the results come in; a key of 0 or less: the result never comes. */
      finish: number[];
      repaired: boolean;
      lateResult: boolean;
      steers: UserPart[][];
    }
  | { kind: 'generation'; keep: number };

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' \n',
    'cut \ud83d',
    '📁 Ordner',
    'Done. \n ',
    '<steiner-skill name="x" state="active" bytes="0">\n',
  ),
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const skillName = fc.constantFrom('review', 'plan');
const part: fc.Arbitrary<UserPart> = fc.oneof(
  { weight: 4, arbitrary: text.map((value): UserPart => ({ kind: 'text', text: value })) },
  text.map((value): UserPart => ({ kind: 'note', subject: 'session_date', text: value })),
  text.map((value): UserPart => ({ kind: 'mode_notice', mode: 'plan', text: value })),
  fc.tuple(skillName, text).map(([name, body]): UserPart => ({ kind: 'skill_activation', name, body })),
  fc.tuple(skillName, text).map(([name, body]): UserPart => ({ kind: 'skill_deactivation', name, body })),
  fc
    .tuple(fc.nat(9), text)
    .map(([sequence, value]): UserPart => ({ kind: 'sub_agent_result', agentId: 'a', sequence, text: value })),
);
const parts = fc.array(part, { maxLength: 4 });

/** No two thinking blocks are the same. */
const seal = fc.uuid();

const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
  text.map((value): AssistantBlock => ({ type: 'text', text: value })),
  fc.tuple(text, seal).map(([thinking, signature]): AssistantBlock => ({ type: 'thinking', thinking, signature })),
  seal.map((data): AssistantBlock => ({ type: 'redacted_thinking', data })),
  {
    weight: 3,
    // Few ids, so that repeated ones are common.
    arbitrary: fc
      .tuple(fc.constantFrom('', 'a', 'a_2', 'b', 'c', 'd', 'e', 'f'), text)
      .map(([callId, path]): AssistantBlock => ({ type: 'tool_call', callId, name: 'read', input: { path } })),
  },
);

const turnStep: fc.Arbitrary<Step> = fc.oneof(
  parts.map((value): Step => ({ kind: 'user', parts: value })),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      blocks: fc.array(block, { minLength: 1, maxLength: 6 }),
      incomplete: fc.boolean(),
      finish: fc.array(fc.integer({ min: -2, max: 9 }), { minLength: 6, maxLength: 6 }),
      repaired: fc.boolean(),
      lateResult: fc.boolean(),
      steers: fc.array(parts, { maxLength: 2 }),
    }),
  },
);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: turnStep },
    fc.nat(12).map((keep): Step => ({ kind: 'generation', keep })),
  ),
  { minLength: 1, maxLength: 16 },
);

/** Records the step; afterwards the next model call could be made. */
export function play(step: Step, lineage: Lineage, turn: number): void {
  switch (step.kind) {
    case 'user':
      lineage.append(user(step.parts, turn));
      break;
    case 'generation': {
      const retained = lineage.messages.slice(lineage.messages.length - step.keep).map(({ id }) => id);
      lineage.addGeneration(generation({ id: lineage.nextGenerationId, kind: 'summary', summary: 's', retained }));
      break;
    }
    case 'answer':
      playAnswer(step, lineage, turn);
  }
}

function playAnswer(step: Extract<Step, { kind: 'answer' }>, lineage: Lineage, turn: number): void {
  const before = lineage.messages.at(-1);
  lineage.append(assistant(step.blocks, { incomplete: step.incomplete, turn }));
  // A result that comes after the next answer has begun is too late: the call was answered for it.
  if (step.lateResult && before?.role === 'tool') lineage.append(result(before.callId, 'too late'));
  const finished = step.blocks
    .flatMap((each, index) => (each.type === 'tool_call' ? [{ each, key: step.finish[index] ?? 0 }] : []))
    .filter(({ key }) => key > 0)
    .toSorted((a, b) => a.key - b.key);
  for (const { each, key } of finished) lineage.append(result(each.callId, key === 1 ? '' : `result ${key}`, { turn }));
  if (step.repaired) {
    let count = lineage.messages.length;
    for (const message of interruptedResults(lineage.view(), {
      ids: (prefix) => `repair_${prefix}_${++count}`,
      now: 0,
    })) {
      lineage.append(message);
    }
  }
  for (const steer of step.steers) lineage.append(user(steer, turn));
}

// The scripted model of the long session: five model calls a turn (thinking, tools, an answer), facts strewn over what
// user, assistant and tools say, and summaries that keep none of them, so that whatever survives was kept by the product.
import emergencyTemplate from '../../../templates/compaction/emergency.md';
import normalTemplate from '../../../templates/compaction/normal.md';
import type { LoggedRequest } from '../../rig/log.ts';
import { call, type Part, reply, type Step, say, think } from '../../rig/script.ts';
import type { TestFolders } from './agentHarness.ts';

export type FactKind = 'constraint' | 'user' | 'assistant' | 'tool';

export interface Fact {
  kind: FactKind;
  turn: number;
  /** As it was said, word for word. */
  text: string;
  /** Of a tool fact: the file that the tool read or printed. */
  file?: string;
}

export const TURNS = 60;
export const CALLS_PER_TURN = 5;
/** From this turn on three steps in a row bring so much that the normal stage cannot help. */
export const HEAVY_TURN = 31;

/** Tokens of a page of filler stay well below a page of `read`. */
const FILLER_LINES = 90;
const HEAVY_LINES = 330;

/** Ten facts of each kind, none of them in the last turns, so that all are compacted in the end. */
export const facts: readonly Fact[] = Array.from({ length: 10 }, (_, index): Fact[] => {
  const turn = 2 + index * 5;
  const number = 40_000 + index * 137;
  return [
    { kind: 'constraint', turn, text: `Constraint ${index + 1}: table ledger_${number} is never written to.` },
    { kind: 'user', turn: turn + 1, text: `The contact for region ${number} is desk ${number + 7}.` },
    { kind: 'assistant', turn: turn + 2, text: `Decision ${index + 1}: the limiter gets ${number} tokens a minute.` },
    { kind: 'tool', turn: turn + 3, text: `port = ${number}`, file: fileOf(turn + 3, 1) },
  ];
}).flat();

/** Writes the files that the turns read. */
export async function writeFiles(folders: TestFolders): Promise<void> {
  for (let turn = 1; turn <= TURNS; turn++) {
    for (let step = 1; step < CALLS_PER_TURN; step++) {
      for (const part of turn === HEAVY_TURN ? ['a', 'b', 'c'] : ['']) {
        const file = fileOf(turn, step, part);
        await folders.write(file, fileText(file, turn === HEAVY_TURN ? HEAVY_LINES : FILLER_LINES));
      }
    }
  }
}

export function userMessage(turn: number): string {
  return [`Please do part ${turn} of the work.`, ...saidBy(['constraint', 'user'], turn)].join(' ');
}

/** Answers by what the conversation shows last. `step`: 1-based number of the model call in its turn. */
export function answerFor(turn: number, step: number): Step {
  const thought = think(`Step ${step} of part ${turn}.`);
  if (step === CALLS_PER_TURN) {
    return reply(thought, say([`Part ${turn} is done.`, ...saidBy(['assistant'], turn)].join(' ')));
  }
  return reply(thought, ...calls(turn, step));
}

/** Which stage of a compaction the request asks for; undefined: it is a main request. */
export function summaryStage({ prompt }: LoggedRequest): 'normal' | 'emergency' | undefined {
  const last = prompt?.messages.at(-1)?.blocks.at(-1)?.texts.join('\n') ?? '';
  if (last.includes(firstSentences(emergencyTemplate))) return 'emergency';
  return last.includes(firstSentences(normalTemplate)) ? 'normal' : undefined;
}

function calls(turn: number, step: number): Part[] {
  if (turn === HEAVY_TURN) return ['a', 'b', 'c'].map((part) => call('read', { path: fileOf(turn, step, part) }));
  if (step === 2) return [call('bash', { command: `cat ${fileOf(turn, step)}` })];
  if (step === 3) return [call('grep', { pattern: 'line 5', path: fileOf(turn, step) }), readOf(turn, step)];
  return [readOf(turn, step)];
}

function readOf(turn: number, step: number): Part {
  return call('read', { path: fileOf(turn, step) });
}

function saidBy(kinds: readonly FactKind[], turn: number): string[] {
  return facts.filter((fact) => kinds.includes(fact.kind) && fact.turn === turn).map(({ text }) => text);
}

function fileOf(turn: number, step: number, part = ''): string {
  return `service-${String(turn).padStart(2, '0')}-${step}${part}.conf`;
}

function fileText(file: string, lines: number): string {
  const hidden = facts.filter((fact) => fact.file === file).map(({ text }) => text);
  const filler = Array.from(
    { length: lines },
    (_, line) => `${file} line ${line}: quorum ${line * 7} of the settings table`,
  );
  filler.splice(Math.floor(lines / 2), 0, ...hidden);
  return `${filler.join('\n')}\n`;
}

function firstSentences(template: string): string {
  return template.slice(0, template.indexOf('\n'));
}

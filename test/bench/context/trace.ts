// Recorded agent sessions as they lie in a folder, checked and cut into steps: one model call each, with what was said
// before it and what its tools answered.
import { z } from 'zod';

/** What cannot be read is left out rather than refused: traces come from many recorders. */
const eventSchema = z.object({
  role: z.string(),
  kind: z.string(),
  name: z.string().optional().catch(undefined),
  input: z.unknown().optional(),
  text: z.string().optional().catch(undefined),
  tid: z.string().optional().catch(undefined),
  call: z.number().optional().catch(undefined),
  t_idle_seconds: z.number().nonnegative().optional().catch(undefined),
  tok: z.number().nonnegative().optional().catch(undefined),
});

const traceSchema = z.object({
  id: z.string().min(1),
  repo: z.string().min(1).optional().catch(undefined),
  events: z.array(z.unknown()),
});

/** `tok`: o200k tokens with the block's overhead; undefined: the trace does not say. */
export interface TraceText {
  text: string;
  tok: number | undefined;
}

export interface TraceCall {
  callId: string;
  name: string;
  input: unknown;
  tok: number | undefined;
}

export interface TraceResult extends TraceText {
  callId: string;
  name: string;
}

/** One model call. */
export interface Step {
  /** What the user said since the call before. */
  users: TraceText[];
  /** Recorded seconds since the call before began. */
  idleSeconds: number | undefined;
  answer: (({ type: 'text' } & TraceText) | ({ type: 'tool_call' } & TraceCall))[];
  /** Every call of the answer has its result here, in call order. */
  results: TraceResult[];
}

export interface Trace {
  id: string;
  repo: string;
  steps: Step[];
}

/** Errors: what is wrong with the file, in words. `problems` takes what was passed over. */
export function parseTrace(value: unknown, problems: (problem: string) => void = () => undefined): Trace {
  const parsed = traceSchema.safeParse(value);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { id, repo, events } = parsed.data;
  const builder = new StepBuilder(id);
  let skipped = 0;
  for (const each of events) {
    const event = eventSchema.safeParse(each);
    if (!event.success || !builder.take(event.data)) skipped += 1;
  }
  if (skipped > 0) problems(`${id}: ${skipped} of ${events.length} events are of no known kind and were left out`);
  return { id, repo: repo ?? id, steps: builder.finish() };
}

type TraceEvent = z.infer<typeof eventSchema>;

class StepBuilder {
  readonly #prefix: string;
  readonly #steps: Step[] = [];
  readonly #byTid = new Map<string, TraceCall>();
  #users: TraceText[] = [];
  #call: number | undefined;
  #answerOpen = false;
  #calls = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** False: nothing is known of such an event. */
  take(event: TraceEvent): boolean {
    const { role, kind, text, tok } = event;
    if (role === 'user' && kind === 'text' && text !== undefined) {
      this.#answerOpen = false;
      this.#users.push({ text, tok });
      return true;
    }
    if (role === 'assistant' && kind === 'text' && text !== undefined) {
      this.#stepOf(event).answer.push({ type: 'text', text, tok });
      return true;
    }
    if (role === 'assistant' && kind === 'tool_use') {
      this.#calls += 1;
      const call = {
        callId: `${this.#prefix}/${this.#calls}`,
        name: event.name ?? 'tool',
        input: event.input ?? {},
        tok,
      };
      if (event.tid !== undefined) this.#byTid.set(event.tid, call);
      this.#stepOf(event).answer.push({ type: 'tool_call', ...call });
      return true;
    }
    return (role === 'tool' || role === 'user') && kind === 'tool_result' && this.#takeResult(event);
  }

  finish(): Step[] {
    for (const step of this.#steps) step.results = inCallOrder(step);
    return this.#steps;
  }

  /** Blocks of one answer stand together; a new call number or anything in between begins the next one. */
  #stepOf({ call, t_idle_seconds }: TraceEvent): Step {
    const last = this.#steps.at(-1);
    if (last && this.#answerOpen && call === this.#call) return last;
    const step: Step = { users: this.#users, idleSeconds: t_idle_seconds, answer: [], results: [] };
    this.#steps.push(step);
    this.#users = [];
    this.#call = call;
    this.#answerOpen = true;
    return step;
  }

  #takeResult({ tid, text, tok }: TraceEvent): boolean {
    this.#answerOpen = false;
    const step = this.#steps.at(-1);
    if (!step) return false;
    const open = callsOf(step).filter(({ callId }) => step.results.every((result) => result.callId !== callId));
    const named = tid === undefined ? undefined : this.#byTid.get(tid);
    const call = named ? open.find(({ callId }) => callId === named.callId) : open[0];
    if (!call) return false;
    step.results.push({ callId: call.callId, name: call.name, text: text ?? '', tok });
    return true;
  }
}

function inCallOrder(step: Step): TraceResult[] {
  return callsOf(step).flatMap(({ callId }) => step.results.find((result) => result.callId === callId) ?? []);
}

export function callsOf(step: Step): TraceCall[] {
  return step.answer.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
}

// Runs the tool calls of one answer. Every call gets exactly one result, stored as soon as it is known; the
// projection puts results into call order (design invariant 3).
import type { Mode, ToolCallBlock, ToolMessage, ToolStatus } from '../conversation/message.ts';
import { INTERRUPTED_CALL } from '../conversation/repair.ts';
import type { IdSource } from '../platform/ids.ts';
import { clipUnitsFromEnd } from '../platform/text.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts';
import type { Approvals } from './approvals.ts';
import type { AgentEvent } from './events.ts';

const MAX_PARALLEL = 4;
/** UTF-16 units of the output that is kept of a command that was stopped. */
const MAX_OUTPUT_AT_STOP = 20_000;

export interface ToolExecutionDeps {
  tools: readonly Tool[];
  context: Omit<ToolContext, 'signal' | 'onProgress'>;
  approvals: Approvals;
  ids: IdSource;
  mode(): Mode;
  /** False: the workspace is not trusted, and an allowance for the session does not count there (case A28). */
  trusted(): boolean;
  /** Makes a large result small enough for the prompt, keeping the whole on disk. `maxBytes`: less than usual, UTF-8. */
  takeIn(call: ToolCallBlock, outcome: ToolOutcome, maxBytes?: number): Promise<ToolOutcome>;
  /** Saves a result; it is shown only afterwards. */
  store(message: ToolMessage): Promise<void>;
  emit(event: AgentEvent): void;
}

/** Resolves when every call has a stored result, also after an abort. Errors: only from `store`. */
export async function runToolCalls(
  calls: readonly ToolCallBlock[],
  turn: number,
  signal: AbortSignal,
  deps: ToolExecutionDeps,
): Promise<void> {
  for (const group of groups(calls, deps.tools)) {
    await inParallel(group, (call) => runOne(call, turn, signal, deps));
  }
}

/** Neighbouring calls of tools that may run side by side form a group; every other call stands alone. */
function groups(calls: readonly ToolCallBlock[], tools: readonly Tool[]): ToolCallBlock[][] {
  const result: ToolCallBlock[][] = [];
  let open = false;
  for (const call of calls) {
    const parallel = tools.find((tool) => tool.name === call.name)?.parallel ?? false;
    const last = result.at(-1);
    if (parallel && open && last) last.push(call);
    else result.push([call]);
    open = parallel;
  }
  return result;
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, items.length) }, worker));
}

async function runOne(call: ToolCallBlock, turn: number, signal: AbortSignal, deps: ToolExecutionDeps): Promise<void> {
  const result = await outcomeOf(call, signal, deps);
  const message: ToolMessage = {
    id: deps.ids('tool'),
    role: 'tool',
    at: deps.context.clock.now(),
    turn,
    callId: call.callId,
    name: call.name,
    status: result.status,
    content: result.content,
    ...(result.detail ? { detail: result.detail } : {}),
  };
  await deps.store(message);
  deps.emit({ type: 'tool_finished', message });
}

type Result = Omit<ToolOutcome, 'status'> & { status: ToolStatus };

async function outcomeOf(call: ToolCallBlock, signal: AbortSignal, deps: ToolExecutionDeps): Promise<Result> {
  const tool = deps.tools.find((each) => each.name === call.name);
  if (call.problem !== undefined) {
    return failure(`The call was not run: ${call.problem} Send the whole call again with complete arguments.`);
  }
  if (!tool) {
    const names = deps.tools.map((each) => each.name).join(', ');
    return failure(`There is no tool named "${call.name}". The tools are: ${names}.`);
  }
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
    return failure(`The call was not run: its arguments are invalid.\n${issues.join('\n')}`);
  }
  if (deps.mode() === 'plan' && tool.effect === 'write') {
    return failure(
      'Plan mode is on: files are not changed. Describe the change instead; the user can switch to build mode.',
    );
  }
  // After a stop nothing new is started; the calls that had not begun are answered like those that were cut off.
  if (signal.aborted) return interrupted;
  return attempt(tool, parsed.data, call, signal, deps);
}

async function attempt(
  tool: Tool,
  input: unknown,
  call: ToolCallBlock,
  signal: AbortSignal,
  deps: ToolExecutionDeps,
): Promise<Result> {
  let printed = '';
  const context: ToolContext = {
    ...deps.context,
    signal,
    onProgress: (text) => {
      printed = clipUnitsFromEnd(printed + text, MAX_OUTPUT_AT_STOP);
      deps.emit({ type: 'tool_progress', callId: call.callId, text });
    },
  };
  try {
    deps.emit({ type: 'tool_started', call, title: tool.title(input) });
    const need = await tool.approval(input, context);
    // In plan mode a command could change anything, so an allowance for the session does not count.
    const everyTime = !deps.trusted() || (deps.mode() === 'plan' && tool.effect === 'command');
    if (need && !(await deps.approvals.ask(need, call, signal, everyTime))) {
      return { status: 'denied', content: 'denied by user: the call was not run.' };
    }
    return await deps.takeIn(call, await tool.execute(input, context));
  } catch (error) {
    if (signal.aborted) return printed === '' ? interrupted : withOutput(printed);
    return failure(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const interrupted: Result = { status: 'interrupted', content: INTERRUPTED_CALL };

/** What a command had printed before it was stopped may be just what it was stopped for. */
function withOutput(printed: string): Result {
  return { ...interrupted, content: `${INTERRUPTED_CALL}\nIts output until then:\n${printed}` };
}

function failure(content: string): Result {
  return { status: 'error', content };
}

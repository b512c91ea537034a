// Which conversations are replayed: real chats as they are, every other trace alone, and all traces of one repository
// as one long conversation.
import type { Step, Trace, TraceText } from './trace.ts';

export type Group = 'user' | 'joined' | 'short';

export interface BenchSession {
  id: string;
  group: Group;
  steps: Step[];
}

/** Fewer tasks than this do not make a long conversation. */
const LEAST_JOINED = 5;
/** Chats of a person with an agent; all else was one task, given at the start. */
const CHAT = /^(?:cc-plugin|pi-)/;
const TASK = /<pr_description>([\s\S]*?)<\/pr_description>/;

export function sessionsOf(traces: readonly Trace[]): BenchSession[] {
  const inOrder = traces.filter(({ steps }) => steps.length > 0).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const chats = inOrder.filter(({ id }) => CHAT.test(id));
  const tasks = inOrder.filter(({ id }) => !CHAT.test(id));
  return [
    ...chats.map(({ id, steps }): BenchSession => ({ id, group: 'user', steps })),
    ...joined(tasks),
    ...tasks.map(({ id, steps }): BenchSession => ({ id, group: 'short', steps })),
  ];
}

function joined(tasks: readonly Trace[]): BenchSession[] {
  const repos = [...new Set(tasks.map(({ repo }) => repo))];
  return repos.flatMap((repo): BenchSession[] => {
    const traces = tasks.filter((task) => task.repo === repo);
    if (traces.length < LEAST_JOINED) return [];
    const steps = traces.flatMap((trace, index) => (index === 0 ? trace.steps : trace.steps.map(withoutBoilerplate)));
    return [{ id: `joined ${repo}`, group: 'joined', steps }];
  });
}

/** The person would not repeat the instructions; of a message that frames its task, the task is left. */
function withoutBoilerplate(step: Step): Step {
  return step.users.length === 0 ? step : { ...step, users: step.users.map(taskOnly) };
}

function taskOnly(user: TraceText): TraceText {
  const task = TASK.exec(user.text)?.[1]?.trim();
  return task === undefined || task === '' ? user : { text: task, tok: undefined };
}

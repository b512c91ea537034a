import type * as z from 'zod';
import type { ToolDetail, ToolStatus } from '../conversation/message.ts';
import type { Clock } from '../platform/clock.ts';
import type { HistoryAccess, ProcessRunner, WorkspaceFiles } from './ports.ts';

/** `read` runs unasked inside the workspace; `write` and `command` ask. */
export type ToolEffect = 'read' | 'write' | 'command';

/** What the user is asked before a tool runs. */
export interface ApprovalNeed {
  /** One line, e.g. `Run: npm test` or `Write src/a.ts`. */
  title: string;
  /** Longer text for the card: the whole command, or a unified diff of the change. */
  detail: string;
  /** `command` and `diff` are shown as code. */
  detailKind: 'command' | 'diff' | 'text';
  /** What "allow for this session" covers, as a stable key, e.g. `write` or `command:npm test`. */
  sessionKey: string;
  /** The same in words, e.g. `all edits inside the workspace`. */
  sessionLabel: string;
}

export interface ToolContext {
  signal: AbortSignal;
  clock: Clock;
  files: WorkspaceFiles;
  processes: ProcessRunner;
  history: HistoryAccess;
  /** Absolute path of ripgrep; absent when none was found. */
  ripgrepPath: string | undefined;
  /** Live output for the card; bounded by the receiver. */
  onProgress(text: string): void;
}

export interface ToolOutcome {
  status: Exclude<ToolStatus, 'denied'>;
  /** The full output. Tools do not shorten what they found beyond their documented page; intake does. */
  content: string;
  detail?: ToolDetail;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly input: z.ZodType<Input>;
  /** Calls of tools that only read may run side by side. */
  readonly parallel: boolean;
  /** Undefined: runs unasked. Must not change anything. */
  approval(input: Input, context: ToolContext): Promise<ApprovalNeed | undefined>;
  /** Failure is data: returns status `error`. Throws only when `signal` aborts. */
  execute(input: Input, context: ToolContext): Promise<ToolOutcome>;
  /** One line for the card, from the arguments alone. */
  title(input: Input): string;
}

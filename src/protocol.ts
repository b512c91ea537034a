// Every message between the extension host and the chat webview. Both sides import this file and nothing else of
// each other. The host owns the truth: the webview gets one snapshot, then numbered deltas; on a gap it asks again.
import * as z from 'zod/mini';

const itemBase = { id: z.string(), at: z.number() };

export const userItem = z.object({
  ...itemBase,
  kind: z.literal('user'),
  text: z.string(),
  mode: z.optional(z.enum(['plan', 'build'])),
  /** Skills switched by this message. */
  skills: z.array(z.object({ name: z.string(), state: z.enum(['active', 'inactive']) })),
});

export const assistantItem = z.object({
  ...itemBase,
  kind: z.literal('assistant'),
  markdown: z.string(),
  streaming: z.boolean(),
  /** The answer was cut off (stop, crash, broken connection). */
  incomplete: z.boolean(),
});

export const thinkingItem = z.object({
  ...itemBase,
  kind: z.literal('thinking'),
  text: z.string(),
  streaming: z.boolean(),
});

export const approvalView = z.object({
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  detailKind: z.enum(['command', 'diff', 'text']),
  sessionLabel: z.string(),
});

export const toolItem = z.object({
  ...itemBase,
  kind: z.literal('tool'),
  name: z.string(),
  /** Arguments in short, one line. */
  title: z.string(),
  status: z.enum(['waiting', 'running', 'ok', 'error', 'denied', 'interrupted']),
  /** Live output while running, then the start of the result (at most 8,000 characters). */
  output: z.string(),
  outputTruncated: z.boolean(),
  /** Unified diff of a change. */
  diff: z.optional(z.string()),
  exitCode: z.optional(z.number()),
  /** Workspace file that the card can open. */
  path: z.optional(z.string()),
  approval: z.optional(approvalView),
});

export const noticeAction = z.enum([
  'set_api_key',
  'select_model',
  'open_settings',
  'open_folder',
  'retry',
  'context_report',
]);

export const noticeItem = z.object({
  ...itemBase,
  kind: z.literal('notice'),
  severity: z.enum(['info', 'warning', 'error']),
  message: z.string(),
  advice: z.optional(z.string()),
  action: z.optional(noticeAction),
});

export const compactionItem = z.object({
  ...itemBase,
  kind: z.literal('compaction'),
  generationId: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  summary: z.string(),
  /** Who wrote the summary and why, when a fallback model is set and was chosen; one line. */
  summaryModel: z.optional(z.string()),
  /** Why it was made, what that was expected to cost and what was carried over; one line. Absent: the user asked. */
  reason: z.optional(z.string()),
});

export const chatItem = z.discriminatedUnion('kind', [
  userItem,
  assistantItem,
  thinkingItem,
  toolItem,
  noticeItem,
  compactionItem,
]);
export type ChatItem = z.infer<typeof chatItem>;

/** What the agent is doing now; drives the status line and which buttons are enabled. */
export const activity = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('working'), label: z.string() }),
  z.object({ kind: z.literal('compacting') }),
  z.object({ kind: z.literal('waiting_for_approval') }),
  z.object({
    kind: z.literal('waiting_to_retry'),
    reason: z.string(),
    attempt: z.number(),
    maxAttempts: z.number(),
    /** Milliseconds since the epoch; the webview counts down to it. */
    untilMs: z.number(),
  }),
]);
export type Activity = z.infer<typeof activity>;

export const chatState = z.object({
  sessionId: z.string(),
  title: z.string(),
  model: z.object({ id: z.string(), label: z.string() }),
  /** For the model picker; `id` is `provider/model`. */
  models: z.array(z.object({ id: z.string(), label: z.string(), detail: z.string() })),
  mode: z.enum(['plan', 'build']),
  skills: z.array(z.object({ name: z.string(), enabled: z.boolean() })),
  activity,
  meter: z.object({ tokens: z.number(), window: z.number(), source: z.enum(['estimated', 'reported']) }),
  /** Messages typed while the agent works; they join the conversation at the next model call. */
  queued: z.array(z.string()),
  /** Why the chat cannot be used at the moment, if it cannot (read-only session, no folder...). */
  blocked: z.optional(z.string()),
});
export type ChatState = z.infer<typeof chatState>;

export const sessionSummary = z.object({
  id: z.string(),
  title: z.string(),
  /** Milliseconds since the epoch. */
  updatedAt: z.number(),
  messageCount: z.number(),
  current: z.boolean(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

export const deltaOperation = z.discriminatedUnion('op', [
  /** Adds the item at the end, or replaces the one with its id. */
  z.object({ op: z.literal('put'), item: chatItem }),
  z.object({ op: z.literal('remove'), id: z.string() }),
  /** Appends to `markdown`, `text` or `output` of an item. */
  z.object({ op: z.literal('append'), id: z.string(), text: z.string() }),
  z.object({ op: z.literal('state'), state: chatState }),
]);
export type DeltaOperation = z.infer<typeof deltaOperation>;

export const hostMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    /** Number of the last delta contained in it. */
    sequence: z.number(),
    state: chatState,
    /** The newest items, oldest first. */
    items: z.array(chatItem),
    /** How many older items the host can page in. */
    olderCount: z.number(),
  }),
  z.object({ type: z.literal('delta'), sequence: z.number(), operations: z.array(deltaOperation) }),
  z.object({ type: z.literal('page'), before: z.string(), items: z.array(chatItem), olderCount: z.number() }),
  z.object({ type: z.literal('sessions'), sessions: z.array(sessionSummary) }),
  /** Puts the caret in the input, optionally with text (a refused message comes back this way). */
  z.object({ type: z.literal('focus_input'), text: z.optional(z.string()) }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

export const webviewMessage = z.discriminatedUnion('type', [
  /** The webview is loaded, or found a gap in the delta numbers. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('send'), text: z.string() }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('approval'), id: z.string(), answer: z.enum(['once', 'session', 'deny']) }),
  z.object({ type: z.literal('select_model'), id: z.string() }),
  z.object({ type: z.literal('set_mode'), mode: z.enum(['plan', 'build']) }),
  z.object({ type: z.literal('compact') }),
  z.object({ type: z.literal('new_session') }),
  z.object({ type: z.literal('list_sessions') }),
  z.object({ type: z.literal('resume_session'), id: z.string() }),
  z.object({ type: z.literal('toggle_skills') }),
  z.object({ type: z.literal('context_report') }),
  z.object({ type: z.literal('load_older'), before: z.string() }),
  /** A link in rendered Markdown was clicked; the host decides what may open. */
  z.object({ type: z.literal('open_link'), href: z.string() }),
  z.object({ type: z.literal('open_file'), path: z.string() }),
  /** Opens a tool's whole result in an editor. */
  z.object({ type: z.literal('show_output'), itemId: z.string() }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  z.object({ type: z.literal('notice_action'), action: noticeAction }),
]);
export type WebviewMessage = z.infer<typeof webviewMessage>;

// The readable archive of what a compaction drops (fact sheet section 8): Markdown, oldest first. It keeps what was
// said and what was done; tool output and reasoning stay in the session's log.
import historyNoteTemplate from '../../../templates/compaction/history-note.md';
import historySearchTemplate from '../../../templates/compaction/history-search.md';
import type { AssistantMessage, Message, ToolMessage, UserMessage, UserPart } from '../conversation/message.ts';
import type { ToolDefinition } from '../conversation/request.ts';
import { fill } from '../platform/templates.ts';
import { wellFormed } from '../platform/text.ts';
import { callSummary } from './callSummary.ts';

/** The note's line begins with this, so that a later compaction can take it out again. */
const NOTE_MARKER = '[History]';
/** Small windows do without it. */
const HISTORY_TOOL = 'history';

export interface HistorySection {
  /** The generation that was made without these messages. */
  generationId: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** The summary that stood before them. */
  earlierSummary?: string | undefined;
  messages: readonly Message[];
  /** Where the results of the messages' calls are found; the calls are named with how they ended. */
  results: readonly Message[];
}

/** Ends with a blank line, so that sections can be appended to one another. */
export function renderHistory({ generationId, at, earlierSummary, messages, results }: HistorySection): string {
  const byCall = new Map(results.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])));
  const texts = messages.flatMap((message) => {
    if (message.role === 'user') return renderUser(message);
    return message.role === 'assistant' ? renderAssistant(message, byCall) : [];
  });
  const summary = earlierSummary === undefined ? '' : withoutHistoryNote(earlierSummary);
  const first = summary === '' ? [] : [`### Summary of what came before\n\n${summary}`];
  const title = `## Compacted into generation ${generationId}, ${new Date(at).toISOString()}`;
  return wellFormed(`${[title, ...first, ...texts].join('\n\n')}\n\n`);
}

/**
 * Adds the note that names history.md, and the history tool where the model has it, and takes out older ones. No path:
 * there is no archive.
 */
export function withHistoryNote(summary: string, path: string | undefined, tools: readonly ToolDefinition[]): string {
  const text = withoutHistoryNote(summary);
  if (path === undefined) return text;
  const search = tools.some(({ name }) => name === HISTORY_TOOL) ? ` ${fill(historySearchTemplate)}` : '';
  return `${text}\n\n${NOTE_MARKER} ${fill(historyNoteTemplate, { path })}${search}`;
}

function withoutHistoryNote(summary: string): string {
  const lines = summary.split('\n').filter((line) => !line.startsWith(NOTE_MARKER));
  return lines.join('\n').trim();
}

function renderUser(message: UserMessage): string[] {
  const texts = message.parts.flatMap(renderPart);
  return texts.length === 0 ? [] : [[`### User, turn ${message.turn} (${message.id})`, ...texts].join('\n\n')];
}

function renderPart(part: UserPart): string[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text];
    case 'skill_activation':
      return [`_Skill switched on: ${oneLine(part.name)}_`];
    case 'skill_deactivation':
      return [`_Skill switched off: ${oneLine(part.name)}_`];
    case 'sub_agent_result':
      return [`_Result of sub-agent ${oneLine(part.agentId)}_`];
    default:
      return [];
  }
}

function renderAssistant(message: AssistantMessage, results: ReadonlyMap<string, ToolMessage>): string[] {
  const texts = message.blocks.flatMap((block) => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [block.text.trim()];
    return block.type === 'tool_call' ? [callSummary(block, results.get(block.callId))] : [];
  });
  const cut = message.incomplete ? ['_cut off here_'] : [];
  if (texts.length + cut.length === 0) return [];
  return [[`### Assistant, turn ${message.turn} (${message.id})`, ...texts, ...cut].join('\n\n')];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

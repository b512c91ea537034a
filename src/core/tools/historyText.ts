// Stored messages as the text that is searched and paged.
import { summarizedArguments } from '../conversation/argumentSummary.ts';
import type { AssistantBlock, Message, ToolMessage, UserPart } from '../conversation/message.ts';
import { wellFormed } from '../platform/text.ts';
import { isInside } from '../security/pathPolicy.ts';
import type { HistoryAccess, WorkspaceFiles } from './ports.ts';

/** Everything of the message but reasoning; of a tool result that was too large, the whole as it was saved. */
export async function historyText(message: Message, files: WorkspaceFiles): Promise<string> {
  switch (message.role) {
    case 'user':
      return wellFormed(message.parts.map(partText).join('\n\n'));
    case 'assistant':
      return wellFormed(message.blocks.flatMap(blockText).join('\n\n'));
    case 'tool':
      return wellFormed((await savedText(message, files)) ?? message.content);
  }
}

/** One line: what the message is. `history` names the call that a result answers. */
export function historyTitle(message: Message, history: HistoryAccess): string {
  switch (message.role) {
    case 'user':
      return `turn ${message.turn}, user`;
    case 'assistant':
      return `turn ${message.turn}, assistant`;
    case 'tool': {
      const summary = summaryOf(message, history);
      return `turn ${message.turn}, ${message.status} result of ${message.name}${summary === '' ? '' : ` (${summary})`}`;
    }
  }
}

/** Undefined: it was not saved, or the file is gone; what the conversation holds stands in for it. */
async function savedText({ detail }: ToolMessage, files: WorkspaceFiles): Promise<string | undefined> {
  const path = detail?.savedTo;
  // Nobody is asked, so nothing but the session's own files may be read, whatever the log says.
  if (path === undefined || !files.readableRoots.some((root) => isInside(path, root))) return undefined;
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await files.read(path));
  } catch {
    return undefined;
  }
}

function partText(part: UserPart): string {
  switch (part.kind) {
    case 'skill_activation':
    case 'skill_deactivation':
      return `[${part.kind === 'skill_activation' ? 'Skill on' : 'Skill off'}: ${part.name}]\n${part.body}`;
    default:
      return part.text;
  }
}

function blockText(block: AssistantBlock): string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'tool_call':
      return [`[Calls ${block.name} ${JSON.stringify(block.input) ?? ''}]`];
    default:
      return [];
  }
}

function summaryOf({ callId }: ToolMessage, { messages }: HistoryAccess): string {
  const call = messages
    .flatMap((message) => (message.role === 'assistant' ? message.blocks : []))
    .findLast((block) => block.type === 'tool_call' && block.callId === callId);
  return summarizedArguments(call?.type === 'tool_call' ? call.input : undefined)
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ');
}

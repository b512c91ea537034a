// Tool results on arrival: large ones are saved whole and the conversation gets a part and the way to the rest
// (design section 11: tools return full output; intake alone shortens).
import savedTemplate from '../../../templates/intake/saved.md';
import type { ToolCallBlock } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { clipUnits, clipUnitsFromEnd, clipUtf8, codePointCount, utf8Length, wellFormed } from '../platform/text.ts';
import type { ToolOutcome } from '../tools/tool.ts';

/** UTF-8 bytes above which a result is saved and shortened. A page of `read` stays below. */
const PERSIST_BYTES = 30 * 1024;
const START_LINES = 200;
/** UTF-8 bytes of the start that is kept, for results whose lines are huge. */
const START_BYTES = 20 * 1024;
/** The end is kept too: there commands say what went wrong. */
const END_LINES = 20;
/** UTF-16 units of the end, at most 6 KB. */
const END_UNITS = 2 * 1024;
/** UTF-16 units; nothing longer enters the conversation, saved or not. */
const MAX_UNITS = 50_000;
/** UTF-16 units kept free for the mark in the middle. */
const MARK_UNITS = 80;

/** Saves the text whole and returns its absolute path. */
export type SaveResult = (callId: string, text: string) => Promise<string>;

/** Never fails: a result that cannot be saved is cut instead, and says so. */
export async function takeIn(call: ToolCallBlock, outcome: ToolOutcome, save: SaveResult): Promise<ToolOutcome> {
  const content = wellFormed(outcome.content);
  const bytes = utf8Length(content);
  if (bytes <= PERSIST_BYTES) return content === outcome.content ? outcome : { ...outcome, content };
  let savedTo: string;
  try {
    savedTo = await save(call.callId, content);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...outcome, content: `${headAndTail(content)}\n[The whole result could not be saved: ${why}]` };
  }
  const lines = content.replace(/\n$/, '').split('\n');
  const start = clipUtf8(lines.slice(0, START_LINES).join('\n'), START_BYTES);
  const rest = content.replace(/\n$/, '').slice(start.length);
  const text = fill(savedTemplate, {
    bytes: bytes.toLocaleString('en'),
    lines: lines.length.toLocaleString('en'),
    path: savedTo,
    start,
    end: clipUnitsFromEnd(rest.split('\n').slice(-END_LINES).join('\n'), END_UNITS),
  });
  return { ...outcome, content: text, detail: { ...outcome.detail, savedTo } };
}

/** Both ends of a long text with the number of characters (code points) left out between them. */
function headAndTail(text: string): string {
  if (text.length <= MAX_UNITS) return text;
  const half = Math.floor((MAX_UNITS - MARK_UNITS) / 2);
  const head = clipUnits(text, half);
  const tail = clipUnitsFromEnd(text, half);
  const omitted = codePointCount(text.slice(head.length, text.length - tail.length));
  return `${head}\n[… ${omitted.toLocaleString('en')} characters left out …]\n${tail}`;
}

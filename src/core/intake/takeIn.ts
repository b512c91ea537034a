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
/** Of the bytes that a result may have: the most that its start takes, for results whose lines are huge. */
const START_SHARE = 2 / 3;
/** The end is kept too: there commands say what went wrong. */
const END_LINES = 20;
/** Of the bytes that a result may have, as UTF-16 units: at most three times as many bytes. */
const END_SHARE = 1 / 15;
/** UTF-16 units; nothing longer enters the conversation, saved or not. */
const MAX_UNITS = 50_000;
/** UTF-16 units kept free for the mark in the middle. */
const MARK_UNITS = 80;

/** Saves the text whole and returns its absolute path. */
export type SaveResult = (callId: string, text: string) => Promise<string>;

/**
 * Never fails: a result that cannot be saved is cut instead, and says so.
 * @param maxBytes UTF-8 bytes above which this result is saved and shortened, where that is less than usual
 */
export async function takeIn(
  call: ToolCallBlock,
  outcome: ToolOutcome,
  save: SaveResult,
  maxBytes: number = PERSIST_BYTES,
): Promise<ToolOutcome> {
  const content = wellFormed(outcome.content);
  const bytes = utf8Length(content);
  const limit = Math.min(maxBytes, PERSIST_BYTES);
  if (bytes <= limit) return content === outcome.content ? outcome : { ...outcome, content };
  let savedTo: string;
  try {
    savedTo = await save(call.callId, content);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const cut = headAndTail(content, limit === PERSIST_BYTES ? MAX_UNITS : limit);
    return { ...outcome, content: `${cut}\n[The whole result could not be saved: ${why}]` };
  }
  const lines = content.replace(/\n$/, '').split('\n');
  const start = clipUtf8(lines.slice(0, START_LINES).join('\n'), Math.floor(limit * START_SHARE));
  const rest = content.replace(/\n$/, '').slice(start.length);
  const text = fill(savedTemplate, {
    bytes: bytes.toLocaleString('en'),
    lines: lines.length.toLocaleString('en'),
    path: savedTo,
    start,
    end: clipUnitsFromEnd(rest.split('\n').slice(-END_LINES).join('\n'), Math.floor(limit * END_SHARE)),
  });
  // What is left does not hold all of the lines that were read.
  const { lines: _, ...detail } = outcome.detail ?? {};
  return { ...outcome, content: text, detail: { ...detail, savedTo } };
}

/** Both ends of a long text with the number of characters (code points) left out between them. */
function headAndTail(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const half = Math.floor((maxUnits - MARK_UNITS) / 2);
  const head = clipUnits(text, half);
  const tail = clipUnitsFromEnd(text, half);
  const omitted = codePointCount(text.slice(head.length, text.length - tail.length));
  return `${head}\n[… ${omitted.toLocaleString('en')} characters left out …]\n${tail}`;
}

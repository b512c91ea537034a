// Tool results on arrival: large ones are saved whole and the conversation gets a part and the way to the rest
// (design section 11: tools return full output; intake alone shortens).
import savedTemplate from '../../../templates/intake/saved.md';
import type { ToolCallBlock } from '../conversation/message.ts';
import { fill } from '../platform/templates.ts';
import { clipUnits, clipUnitsFromEnd, clipUtf8, utf8Length, wellFormed } from '../platform/text.ts';
import type { ToolOutcome } from '../tools/tool.ts';

/** UTF-8 bytes above which a result is saved and shortened. */
const PERSIST_BYTES = 30 * 1024;
const PREVIEW_LINES = 200;
/** Of the bytes that a result may have: the most that a preview takes, for results whose lines are huge. */
const PREVIEW_SHARE = 2 / 3;
/** UTF-16 units; nothing longer enters the conversation, saved or not. */
const MAX_UNITS = 50_000;
/** UTF-16 units kept for the mark in the middle. */
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
    return {
      ...outcome,
      content: `${headAndTail(content, limit === PERSIST_BYTES ? MAX_UNITS : limit)}\n[The whole result could not be saved: ${why}]`,
    };
  }
  const lines = content.split('\n');
  const preview = clipUtf8(lines.slice(0, PREVIEW_LINES).join('\n'), Math.floor(limit * PREVIEW_SHARE));
  const text = fill(savedTemplate.trimEnd(), {
    bytes: bytes.toLocaleString('en'),
    lines: lines.length.toLocaleString('en'),
    path: savedTo,
    preview,
  });
  // The preview does not hold all of the lines that were read.
  const { lines: _, ...detail } = outcome.detail ?? {};
  return { ...outcome, content: text, detail: { ...detail, savedTo } };
}

/** Both ends of a long text with the number of characters left out between them. */
function headAndTail(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const half = Math.floor((maxUnits - MARK_UNITS) / 2);
  const head = clipUnits(text, half);
  const tail = clipUnitsFromEnd(text, half);
  const omitted = text.length - head.length - tail.length;
  return `${head}\n[… ${omitted.toLocaleString('en')} characters left out …]\n${tail}`;
}

// Seals of thinking blocks. A seal names its turn, the block's position in it and everything that stood before the
// turn, and is an HMAC over all of the turn's thinking so far: a changed, moved or missing block is seen (R4, R9).
import { createHmac } from 'node:crypto';
import type { Message } from './prompt.ts';

/** The rig's key is no secret: a rig that is started again must accept what an earlier one signed. */
const key = 'steiner test rig';

interface SealHeader {
  turn: string;
  /** 0-based among the turn's thinking blocks, of `count`. */
  position: number;
  count: number;
  /** Tool calls of the turn that stand before the block. */
  callsBefore: number;
  /** The last of `hashesBefore` of the request that the turn answered. */
  boundTo: string;
  /** Redacted thinking only: what it hides. */
  hidden?: string;
}

/** Seals the blocks of one turn in their order. */
export class TurnSealer {
  readonly #header: Pick<SealHeader, 'turn' | 'count' | 'boundTo'>;
  #texts: string[] = [];

  constructor(turn: string, count: number, boundTo: string) {
    this.#header = { turn, count, boundTo };
  }

  seal(text: string, callsBefore: number, redacted: boolean): string {
    const position = this.#texts.length;
    this.#texts.push(text);
    const header: SealHeader = { ...this.#header, position, callsBefore, ...(redacted ? { hidden: text } : {}) };
    return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${mac(header, this.#texts)}`;
  }
}

export interface SealFinding {
  rule: 'R4' | 'R9';
  message: string;
}

/**
 * Checks the thinking of one assistant message. `isUnfinished(turn)`: the turn's stream broke, so its later blocks
 * may be missing. `boundTo`: what `hashesBefore` has for this message, undefined when the model does not bind thinking.
 */
export function checkSeals(
  message: Message,
  isUnfinished: (turn: string) => boolean,
  boundTo: string | undefined,
): SealFinding | undefined {
  const turns = new Map<string, { texts: string[]; count: number }>();
  let callsBefore = 0;
  for (const block of message.blocks) {
    if (block.kind === 'call') callsBefore++;
    if (block.kind !== 'thinking' && block.kind !== 'redacted') continue;
    const changed: SealFinding = {
      rule: 'R4',
      message: `${block.path}: ${block.kind} block was changed or is not ours`,
    };
    const [encoded = '', sent = ''] = (block.seal ?? '').split('.');
    const header = readHeader(encoded);
    if (!header) return changed;
    const turn = turns.get(header.turn) ?? { texts: [], count: header.count };
    turns.set(header.turn, turn);
    if (header.position !== turn.texts.length)
      return { rule: 'R4', message: `${block.path}: a thinking block of the same turn is missing before it` };
    if (header.callsBefore !== callsBefore)
      return { rule: 'R4', message: `${block.path}: the block was moved within its turn` };
    const isRedacted = block.kind === 'redacted';
    if (isRedacted !== (header.hidden !== undefined)) return changed;
    turn.texts.push(header.hidden ?? block.texts[0] ?? '');
    if (mac(header, turn.texts) !== sent) return changed;
    if (boundTo !== undefined && header.boundTo !== boundTo)
      return { rule: 'R9', message: `${block.path}: thinking is bound to a different conversation or model` };
  }
  for (const [name, turn] of turns)
    if (turn.texts.length < turn.count && !isUnfinished(name))
      return {
        rule: 'R4',
        message: `${message.path}: only ${turn.texts.length} of the turn's ${turn.count} thinking blocks came back`,
      };
  return undefined;
}

function mac(header: SealHeader, texts: string[]): string {
  const { turn, position, count, callsBefore, boundTo } = header;
  return createHmac('sha256', key)
    .update(JSON.stringify([turn, position, count, callsBefore, boundTo, texts]))
    .digest('base64url');
}

function readHeader(encoded: string): SealHeader | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return isSealHeader(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function isSealHeader(value: unknown): value is SealHeader {
  return (
    typeof value === 'object' &&
    value !== null &&
    'turn' in value &&
    typeof value.turn === 'string' &&
    'position' in value &&
    typeof value.position === 'number' &&
    'count' in value &&
    typeof value.count === 'number'
  );
}

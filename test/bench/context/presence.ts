// Where a reference is to be found in a prompt: in full, by a pointer, or nowhere.
import type { UserPart } from '../../../src/core/conversation/message.ts';
import { renderParts } from '../../../src/core/conversation/parts.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { SUMMARY_SOURCE } from '../../../src/core/conversation/systemZone.ts';
import { type Features, featuresOf, holds } from './features.ts';
import { chosenByHash } from './random.ts';
import type { Reference } from './references.ts';

export type Presence = 'full' | 'stub' | 'gone';

/** What a summary keeps (measured on two real summaries). */
const KEPT_BY_SUMMARY = { line: 0, symbol: 0.05, path: 0.25 } as const;
/** A command is recognised by its beginning. Code units. */
const TELLING_COMMAND = 30;
const LEADING_CD = /^cd (?:"[^"]*"|'[^']*'|[^\s;&|]+) ?(?:&&|;) ?/;

/** What names a tool result in a note, a pointer or a list. */
export interface Pointer {
  messageId: string;
  callId: string;
  paths: readonly string[];
  /** Undefined: no command, or one too short to be recognised. */
  command: string | undefined;
}

export function pointerOf(messageId: string, callId: string, input: unknown): Pointer {
  const values: Record<string, unknown> = typeof input === 'object' && input !== null ? { ...input } : {};
  const command = typeof values.command === 'string' ? oneLine(values.command).replace(LEADING_CD, '') : '';
  return {
    messageId,
    callId,
    paths: [...featuresOf(JSON.stringify(input)).paths],
    command: command.length >= 8 ? command.slice(0, TELLING_COMMAND) : undefined,
  };
}

/** One prompt, ready to be asked. */
export class Prompt {
  readonly #results = new Map<string, Features>();
  readonly #texts: { features: Features; text: string }[] = [];
  readonly #summarized: boolean;

  /** `carried`: what stands in the first message before the conversation itself. */
  constructor({ system, messages }: ModelRequest, carried: readonly UserPart[]) {
    this.#summarized = system.some(({ source }) => source === SUMMARY_SOURCE);
    for (const block of renderParts(carried)) if (block.type === 'text') this.#texts.push(textOf(block.text));
    for (const { content } of messages) {
      for (const block of content) {
        if (block.type === 'tool_result') this.#results.set(block.callId, featuresOf(block.content));
      }
    }
  }

  /** `again`: results of forced re-reads, which hold their text as well. */
  find({ kind, text, holders }: Reference, pointers: ReadonlyMap<string, Pointer>, again: readonly string[]): Presence {
    const inResult = (callId: string) => {
      const features = this.#results.get(callId);
      return features !== undefined && holds(features, kind, text);
    };
    if (holders.some(inResult) || again.some(inResult)) return 'full';
    if (this.#texts.some(({ features }) => holds(features, kind, text))) return 'full';
    if (this.#summarized && chosenByHash(`${kind} ${text}`, KEPT_BY_SUMMARY[kind])) return 'full';
    return holders.some((callId) => this.#results.has(callId) || this.#pointsAt(pointers.get(callId)))
      ? 'stub'
      : 'gone';
  }

  #pointsAt(pointer: Pointer | undefined): boolean {
    if (!pointer) return false;
    const { messageId, callId, paths, command } = pointer;
    return this.#texts.some(
      ({ features, text }) =>
        text.includes(messageId) ||
        text.includes(callId) ||
        paths.some((path) => features.paths.has(path)) ||
        (command !== undefined && text.includes(command)),
    );
  }
}

const texts = new Map<string, { features: Features; text: string }>();

function textOf(text: string): { features: Features; text: string } {
  const known = texts.get(text) ?? { features: featuresOf(text), text };
  texts.set(text, known);
  return known;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

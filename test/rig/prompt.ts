// What a request asks, in one shape for both wires: rules, token count, caches and prefix check read only this.
import { createHash } from 'node:crypto';

export type Wire = 'anthropic' | 'openai';
export type Zone = 'tools' | 'system' | 'messages';
export type CacheTtl = '5m' | '1h';

export interface Image {
  /** As the request declares it, e.g. `image/png`. */
  mediaType: string;
  /** Absent for an image that is only named by its URL. */
  bytes?: Buffer;
}

export interface Block {
  kind: 'tool' | 'text' | 'image' | 'call' | 'result' | 'thinking' | 'redacted';
  zone: Zone;
  /** Where it stands in the request body, e.g. `messages.3.content.1`. */
  path: string;
  /** Role and JSON text as sent (key order kept), cache marker removed: what caches hash and prefixes compare. */
  canonical: string;
  /** The texts that the token rule counts. */
  texts: string[];
  images: Image[];
  /** Set on calls and results. */
  callId?: string;
  /** Set on results. */
  isError?: boolean;
  /** Set on thinking (its signature) and redacted thinking (its data). */
  seal?: string;
  marker?: CacheTtl;
}

export interface Message {
  role: 'user' | 'assistant' | 'system';
  path: string;
  blocks: Block[];
}

export interface Prompt {
  wire: Wire;
  model: string;
  tools: Block[];
  system: Block[];
  /** OpenAI `tool` messages that follow one another are one message here. */
  messages: Message[];
  stream: boolean;
  /** OpenAI: `stream_options.include_usage`. */
  includeUsage: boolean;
  thinkingOn: boolean;
  /** Tokens; undefined where the request does not say. */
  maxTokens?: number;
  /** Settings that, when changed, drop the messages part of an Anthropic cache. */
  messageCacheSeed: string;
}

/** The request is not one that the wire knows; answered with a 400. */
export class ShapeError extends Error {}

/** All blocks in cache order: tools, system, messages. */
export function blocksOf(prompt: Prompt): Block[] {
  return [...prompt.tools, ...prompt.system, ...prompt.messages.flatMap((message) => message.blocks)];
}

/**
 * For each message the hash of the model and of everything that stands before it; a last one for what stands before
 * the reply.
 */
export function hashesBefore(prompt: Prompt): string[] {
  const hash = createHash('sha256').update(`${prompt.model}\n`);
  const add = (blocks: Block[]) => {
    for (const block of blocks) hash.update(`${block.canonical}\n`);
    return hash.copy().digest('base64url').slice(0, 22);
  };
  const head = add([...prompt.tools, ...prompt.system]);
  return [head, ...prompt.messages.map((message) => add(message.blocks))];
}

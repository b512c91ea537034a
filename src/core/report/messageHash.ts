// Fingerprints of request messages: which message of a request differs from the one before, without keeping the texts.
// The input is streamed through one buffer that all of them share, so it never stands in memory as one string.
import { createHash, type Hash } from 'node:crypto';
import type { RequestAssistantBlock, RequestMessage, RequestUserBlock } from '../conversation/request.ts';
import { utf8Length } from '../platform/text.ts';

/** Bytes of sha256 that are kept: enough to tell messages of one conversation apart, not a proof. */
const KEPT_BYTES = 4;
const BUFFER_BYTES = 64 * 1024;
/** The longest UTF-8 code point: with less room than this an encoder may write nothing. */
const LONGEST_POINT = 4;

/** 8 hex digits. */
export function messageHash(message: RequestMessage): string {
  input.begin();
  addMessage(input, message);
  return input.end();
}

/** Every text is preceded by its length, so that two different messages never give the same input. */
class HashInput {
  readonly #encoder = new TextEncoder();
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #used = 0;
  #hash: Hash = createHash('sha256');

  begin(): void {
    this.#hash = createHash('sha256');
    this.#used = 0;
  }

  end(): string {
    this.#flush();
    return this.#hash.digest('hex').slice(0, 2 * KEPT_BYTES);
  }

  text(text: string): void {
    this.#write(`${utf8Length(text)}:`);
    this.#write(text);
  }

  #write(text: string): void {
    for (let at = 0; at < text.length; ) {
      if (this.#buffer.length - this.#used < LONGEST_POINT) this.#flush();
      const { read, written } = this.#encoder.encodeInto(text.slice(at), this.#buffer.subarray(this.#used));
      at += read;
      this.#used += written;
    }
  }

  #flush(): void {
    this.#hash.update(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }
}

const input = new HashInput();

function addMessage(input: HashInput, { role, content }: RequestMessage): void {
  input.text(role);
  for (const block of content) addBlock(input, block);
}

function addBlock(input: HashInput, block: RequestUserBlock | RequestAssistantBlock): void {
  input.text(block.type);
  switch (block.type) {
    case 'text':
      input.text(block.text);
      return;
    case 'thinking':
      input.text(block.thinking);
      input.text(block.signature);
      return;
    case 'redacted_thinking':
      input.text(block.data);
      return;
    case 'tool_call':
      input.text(block.callId);
      input.text(block.name);
      addValue(input, block.input);
      return;
    case 'tool_result':
      input.text(block.callId);
      input.text(String(block.isError));
      input.text(block.content);
  }
}

/** Keys in the order in which they are sent: another order is another prompt to a cache. */
function addValue(input: HashInput, value: unknown): void {
  if (Array.isArray(value)) {
    input.text(`array ${value.length}`);
    for (const item of value) addValue(input, item);
    return;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    input.text(`object ${entries.length}`);
    for (const [key, item] of entries) {
      input.text(key);
      addValue(input, item);
    }
    return;
  }
  input.text(typeof value);
  input.text(String(value));
}

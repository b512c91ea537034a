// Sends the events of a reply one by one and breaks off where the script says so.
import type { ServerResponse } from 'node:http';
import type { EventName, Fault, Reply } from './script.ts';

export type StreamItem = { name: EventName; bytes: string } | { pause: number };

export type Ending = 'complete' | 'fault' | 'left';

/** Real milliseconds before a connection is broken, so that the client has read what was sent before. */
const settleMs = 25;

const paced = new Set<EventName>(['content_block_delta', 'content', 'tool_calls']);

export class Sender {
  readonly #response: ServerResponse;
  readonly #fault: Fault | undefined;
  readonly #paceMs: number;
  readonly #closed: Promise<void>;
  #seen = new Map<string, number>();
  #left = false;
  #faulted = false;

  constructor(response: ServerResponse, { fault, paceMs = 0 }: Reply) {
    this.#response = response;
    this.#fault = fault;
    this.#paceMs = paceMs;
    this.#left = response.closed;
    this.#closed = new Promise((resolve) => {
      if (response.closed) resolve();
      response.on('close', () => {
        this.#left = !response.writableFinished;
        resolve();
      });
    });
  }

  /** The script asked for a fault at an event that the reply did not have. */
  get faultMissed(): boolean {
    return this.#fault !== undefined && !this.#faulted && !this.#left;
  }

  /** Undefined: the reply goes on. */
  async faultAtHeaders(answerStatus: (status: number) => void): Promise<Ending | undefined> {
    if (!this.#isDue('headers')) return undefined;
    if (this.#fault?.action === 'overloaded' || this.#fault?.action === 'error') {
      answerStatus(this.#fault.action === 'overloaded' ? 529 : 500);
      return 'fault';
    }
    return this.#break('');
  }

  /** `errorBytes(status)`: the error event of the wire. */
  async send(items: Iterable<StreamItem>, errorBytes: (status: number) => string): Promise<Ending> {
    for (const item of items) {
      if (this.#left) return 'left';
      if ('pause' in item) {
        await this.#wait(item.pause);
        continue;
      }
      if (this.#paceMs > 0 && paced.has(item.name)) await this.#wait(this.#paceMs);
      if (this.#isDue(item.name)) {
        const ending = await this.#fire(item.bytes, errorBytes);
        if (ending) return ending;
      }
      if (this.#left) return 'left';
      await this.#write(item.bytes);
    }
    if (this.#left) return 'left';
    await this.#end();
    return this.#left ? 'left' : 'complete';
  }

  #isDue(name: Fault['at']): boolean {
    const count = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, count);
    return this.#fault?.at === name && count === (this.#fault.nth ?? 1);
  }

  async #fire(bytes: string, errorBytes: (status: number) => string): Promise<Ending | undefined> {
    const action = this.#fault?.action;
    if (action !== 'overloaded' && action !== 'error') return this.#break(bytes);
    this.#faulted = true;
    await this.#write(errorBytes(action === 'overloaded' ? 529 : 500));
    await this.#end();
    return 'fault';
  }

  async #break(bytes: string): Promise<Ending | undefined> {
    const fault = this.#fault;
    this.#faulted = true;
    switch (fault?.action) {
      case 'stall':
        await this.#wait(fault.ms);
        if (this.#left) return 'left';
        return fault.ms === undefined ? 'fault' : undefined;
      case 'end':
        await this.#end();
        return 'fault';
      case 'torn': {
        const whole = Buffer.from(bytes);
        this.#response.write(whole.subarray(0, Math.floor(whole.length / 2)));
        break;
      }
    }
    await this.#wait(settleMs);
    if (fault?.action === 'cut') this.#response.socket?.destroySoon();
    else this.#response.socket?.resetAndDestroy();
    return 'fault';
  }

  async #write(bytes: string): Promise<void> {
    if (this.#response.write(bytes)) return;
    await Promise.race([new Promise((resolve) => this.#response.once('drain', resolve)), this.#closed]);
  }

  async #end(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.#response.end(resolve)), this.#closed]);
  }

  /** Without `ms`: until the connection is closed. */
  async #wait(ms: number | undefined): Promise<void> {
    if (ms === undefined) {
      await this.#closed;
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
      this.#closed,
    ]);
    clearTimeout(timer);
  }
}

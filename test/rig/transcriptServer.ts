// A model server on loopback that owns the transcripts: a client sends what is new and names the transcript by id and
// revision; any other id or revision is refused. Shares no code with src/, so it is a witness of what is sent.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TranscriptBlock {
  role: 'user' | 'assistant';
  type: string;
  [field: string]: unknown;
}

export interface Revision {
  id: string;
  revision: number;
}

export interface Turn {
  kind: 'turn' | 'summary';
  /** Absent: the turn begins a transcript. */
  transcript?: Revision;
  system: string[];
  tools: unknown[];
  /** What is new; all of it when the turn begins a transcript. */
  blocks: TranscriptBlock[];
  /** Of the whole conversation as the client knows it, `digestOf`. */
  digest: string;
}

export interface TurnReply {
  text?: string;
  calls?: { id?: string; name: string; input: unknown }[];
  /** Prompt tokens to report. Default: a quarter of the transcript's characters. */
  tokens?: number;
  /**
   * `refuse`: status 400 before anything is touched. `cut`: the connection breaks after the text. `no end`: everything is
   * said but what becomes of the transcript. `stall`: nothing comes after the text until the client leaves.
   */
  fault?: 'refuse' | 'cut' | 'no end' | 'stall';
}

export interface LoggedTurn extends Turn {
  outcome: 'answered' | 'gone' | 'refused' | 'broken';
}

interface Transcript {
  revision: number;
  system: string[];
  tools: unknown[];
  blocks: TranscriptBlock[];
}

/** Of everything a model reads; the same for the same conversation. */
export function digestOf({ system, tools, blocks }: Pick<Turn, 'system' | 'tools' | 'blocks'>): string {
  return createHash('sha256')
    .update(JSON.stringify([system, tools, blocks]))
    .digest('hex');
}

export class TranscriptServer {
  readonly turns: LoggedTurn[] = [];
  /** A transcript differed from the conversation that the client meant. */
  readonly violations: string[] = [];
  /** True: a summary asked in place leaves the transcript as it was. */
  keepsAfterSummary = false;
  readonly #transcripts = new Map<string, Transcript>();
  readonly #replies: TurnReply[] = [];
  readonly #server: Server;
  #count = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.violations.push(String(error));
        response.destroy();
      });
    });
  }

  static async start(): Promise<TranscriptServer> {
    const server = new TranscriptServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The next replies, in order; afterwards each answer is `ok`. */
  script(...replies: TurnReply[]): void {
    this.#replies.push(...replies);
  }

  /** Loses all transcripts, as a restart does. */
  forget(): void {
    this.#transcripts.clear();
  }

  /** Transcripts that could still be gone on with. */
  get open(): number {
    return this.#transcripts.size;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const turn = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Turn;
    const logged: LoggedTurn = { ...turn, outcome: 'broken' };
    this.turns.push(logged);
    const known = turn.transcript && this.#transcripts.get(turn.transcript.id);
    if (turn.transcript && known?.revision !== turn.transcript.revision) {
      logged.outcome = 'gone';
      response.writeHead(410).end();
      return;
    }
    const reply = this.#replies.shift() ?? {};
    if (reply.fault === 'refuse') {
      logged.outcome = 'refused';
      response.writeHead(400).end('refused by the script');
      return;
    }
    const id = turn.transcript?.id ?? `transcript-${++this.#count}`;
    const transcript = this.#begin(id, turn, known);
    if (await this.#answer(id, transcript, turn, reply, response)) logged.outcome = 'answered';
  }

  /** From here on the old revision names nothing any more. */
  #begin(id: string, turn: Turn, known: Transcript | undefined): Transcript {
    const transcript: Transcript = {
      revision: (known?.revision ?? 0) + 1,
      system: known?.system ?? turn.system,
      tools: known?.tools ?? turn.tools,
      blocks: [...(known?.blocks ?? []), ...turn.blocks],
    };
    if (turn.kind === 'summary') {
      if (known && !this.keepsAfterSummary) this.#transcripts.delete(id);
      return transcript;
    }
    if (digestOf(transcript) !== turn.digest) this.violations.push(`turn ${this.turns.length}: the transcript differs`);
    this.#transcripts.set(id, transcript);
    return transcript;
  }

  async #answer(
    id: string,
    transcript: Transcript,
    turn: Turn,
    { text = 'ok', calls = [], tokens, fault }: TurnReply,
    response: ServerResponse,
  ): Promise<boolean> {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const say = (line: Record<string, unknown>) => response.write(`${JSON.stringify(line)}\n`);
    const prompt = tokens ?? Math.ceil(JSON.stringify(transcript).length / 4);
    if (text !== '') say({ type: 'text', text });
    if (fault === 'stall') {
      await once(response, 'close');
      return false;
    }
    if (fault === 'cut') return broken(response);
    const answered = calls.map(({ id: callId, name, input }) => ({
      type: 'tool_call',
      callId: callId ?? `${id}-call-${++this.#count}`,
      name,
      input,
    }));
    for (const call of answered) say(call);
    say({ type: 'usage', input: prompt, output: 10 });
    if (fault === 'no end') return broken(response);
    if (turn.kind === 'turn') {
      const said = text === '' ? [] : [{ role: 'assistant' as const, type: 'text', text }];
      transcript.blocks.push(...said, ...answered.map((call) => ({ role: 'assistant' as const, ...call })));
      say({ type: 'transcript', id, revision: transcript.revision });
    } else if (turn.transcript && !this.keepsAfterSummary) {
      say({ type: 'retired' });
    }
    say({ type: 'end', stopReason: answered.length > 0 ? 'tool_use' : 'end_turn' });
    response.end();
    return true;
  }
}

async function broken(response: ServerResponse): Promise<false> {
  // What was written is to arrive before the connection breaks.
  await new Promise((resolve) => setTimeout(resolve, 10));
  response.destroy();
  return false;
}

// The rig: a scripted model provider on loopback that checks every request. It shares no code with src/, so that it
// is an independent witness of what the product sends.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { FakeClock } from './clock.ts';
import { dropBodies, type LoggedRequest, maskHeaders, type Violation } from './log.ts';
import { answerStatus, ModelCalls, refuse, sendJson } from './modelCall.ts';
import { modelList } from './modelList.ts';
import type { Wire } from './prompt.ts';
import { Script, type ScriptFunction, type Step } from './script.ts';
import { type RigModel, type RigOptions, type RigSettings, readSettings } from './settings.ts';
import { maxBodyBytes } from './sizeRules.ts';

export class Rig {
  readonly settings: RigSettings;
  /** The rig's time, unless the option `now` gave another source. */
  readonly clock = new FakeClock();
  /** Model calls in the order of their arrival, refused ones included. */
  readonly requests: LoggedRequest[] = [];
  /** Everything else that was asked, e.g. the list of models. */
  readonly otherRequests: LoggedRequest[] = [];
  readonly #script = new Script();
  readonly #calls: ModelCalls;
  readonly #server: Server;
  readonly #now: () => number;
  #received = 0;
  #origin = '';

  constructor(options: RigOptions) {
    this.settings = readSettings(options);
    this.#now = options.now ?? (() => this.clock.now());
    this.#calls = new ModelCalls(this.settings, this.#script, this.#now);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(asError(error)));
    });
  }

  /** For the Anthropic SDK, which appends `/v1/messages`. */
  get baseUrlAnthropic(): string {
    return this.#origin;
  }

  /** For the OpenAI SDK, which appends `/chat/completions`. */
  get baseUrlOpenAI(): string {
    return `${this.#origin}/v1`;
  }

  /** Broken rules of all requests, in order. Empty after a clean test. */
  get violations(): (Violation & { request: number })[] {
    return [...this.requests, ...this.otherRequests].flatMap(({ n, violation }) =>
      violation ? [{ request: n, ...violation }] : [],
    );
  }

  /** Scripted replies that were not asked for yet. */
  get remaining(): number {
    return this.#script.remaining;
  }

  /** Adds replies to the queue, or sets the function that answers once the queue is empty. */
  script(...steps: Step[] | [ScriptFunction]): void {
    const [first] = steps;
    if (typeof first === 'function') this.#script.use(first);
    else this.#script.add(steps.filter((step) => typeof step !== 'function'));
  }

  /** The model's settings, to be changed in place. Throws when there is none of that id. */
  model(id: string): RigModel {
    const model = this.settings.models.find((known) => known.id === id);
    if (!model) throw new Error(`The rig has no model ${id}`);
    return model;
  }

  /** Sets the window (CAP of rule R5) of every model, in tokens. */
  setCap(tokens: number): void {
    for (const model of this.settings.models) model.window = tokens;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The rig has no port');
    this.#origin = `http://127.0.0.1:${address.port}`;
  }

  /** Breaks connections that are still open. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/';
    const method = incoming.method ?? 'GET';
    const request: LoggedRequest = {
      n: ++this.#received,
      wire: wireOf(path, incoming),
      method,
      path,
      headers: maskHeaders(incoming.headers),
      raw: Buffer.alloc(0),
      body: undefined,
      at: this.#now(),
    };
    const isModelCall = method === 'POST' && (path === '/v1/messages' || path === '/v1/chat/completions');
    (isModelCall ? this.requests : this.otherRequests).push(request);
    const aged = this.requests.at(-1 - this.settings.bodiesKept);
    if (isModelCall && aged) dropBodies(aged);
    response.on('close', () => {
      request.end ??= 'left';
    });
    request.raw = await readBody(incoming);

    if (keyOf(incoming) !== this.settings.apiKey) {
      const message = request.wire === 'anthropic' ? 'invalid x-api-key' : 'Incorrect API key provided';
      answerStatus(request, response, { status: 401, message });
    } else if (isModelCall) {
      await this.#answerModelCall(request, response);
    } else if (method === 'GET' && path === '/v1/models') {
      request.status = 200;
      request.end = 'complete';
      sendJson(response, 200, modelList(this.settings.models, request.wire));
    } else {
      answerStatus(request, response, { status: 404, message: `${method} ${path} is not served` });
    }
  }

  async #answerModelCall(request: LoggedRequest, response: ServerResponse): Promise<void> {
    if (request.raw.length > maxBodyBytes) {
      refuse(request, response, 413, 'R6', `request of ${request.raw.length} bytes exceeds the maximum size of 32 MiB`);
      return;
    }
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.raw);
    } catch {
      refuse(request, response, 400, 'R3', 'the body is not valid UTF-8');
      return;
    }
    try {
      request.body = JSON.parse(text);
    } catch {
      refuse(request, response, 400, 'SHAPE', 'the body is not JSON');
      return;
    }
    try {
      await this.#calls.answer(request, response);
    } catch (error) {
      if (response.headersSent) throw error;
      refuse(request, response, 400, 'SCRIPT', asError(error).message);
    }
  }
}

/**
 * A rig on a free port of 127.0.0.1. Its time stands still until `rig.clock.advance`. In short:
 *
 *     const rig = await startRig({ cap: 32_000 });
 *     rig.script(reply(say('I read it.'), call('read', { path: 'a.ts' })), status(529), reply(say('Done.')));
 *     // ... let the product talk to rig.baseUrlAnthropic or rig.baseUrlOpenAI with rigKey ...
 *     assert.deepEqual(rig.violations, []);
 *     await rig.close();
 */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = new Rig(options);
  await rig.listen();
  return rig;
}

function wireOf(path: string, request: IncomingMessage): Wire {
  if (path === '/v1/chat/completions') return 'openai';
  return path === '/v1/messages' || request.headers['anthropic-version'] !== undefined ? 'anthropic' : 'openai';
}

function keyOf(request: IncomingMessage): string | undefined {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

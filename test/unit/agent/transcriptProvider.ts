// Speaks to the transcript server: sends only what is new, and tells what becomes of the transcript.
import type { JsonValue } from '../../../src/core/conversation/backendState.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { markBackendStateRetired } from '../../../src/core/providers/backendStateRetirement.ts';
import {
  type ModelCapabilities,
  type Provider,
  ProviderError,
  type StreamEvent,
  type StreamObserver,
} from '../../../src/core/providers/provider.ts';
import { digestOf, type Revision, type Turn } from '../../rig/transcriptServer.ts';

/** How a call that broke off tells of the transcript it has used: not at all, through the observer, or on its error. */
export type Telling = 'nothing' | 'observer' | 'mark';

interface State extends Revision {
  /** Blocks of the last request, and the digest of that request. */
  sent: number;
  digest: string;
}

export class TranscriptProvider implements Provider {
  readonly id = 'openai';
  readonly label = 'Transcripts';
  telling: Telling = 'observer';
  readonly #url: string;
  readonly #capabilities: ModelCapabilities;

  /** `window`: tokens. */
  constructor(url: string, window: number) {
    this.#url = url;
    this.#capabilities = {
      contextWindow: window,
      maxOutputTokens: 4_096,
      cache: { kind: 'none', ttlMs: 0, minTokens: 0 },
      thinking: false,
      assumed: false,
      stateful: true,
    };
  }

  capabilities(): ModelCapabilities {
    return this.#capabilities;
  }

  listModels(): Promise<string[]> {
    return Promise.resolve([]);
  }

  async *stream(request: ModelRequest, signal: AbortSignal, observer?: StreamObserver): AsyncGenerator<StreamEvent> {
    const whole = wholeTurn(request);
    const state = stateOf(request.backendState);
    const turn = state ? continued(whole, state) : whole;
    let [accepted, ended] = [false, false];
    let index = 0;
    try {
      const response = await fetch(this.#url, { method: 'POST', body: JSON.stringify(turn), signal });
      if (response.status === 410) throw stateLost();
      if (!response.ok) throw new ProviderError('bad_request', await response.text(), { advice: 'Try again.' });
      accepted = true;
      for await (const line of linesOf(response)) {
        const event = toEvent(line, index++, whole);
        if (event.type === 'end') ended = true;
        yield event;
      }
      if (!ended) throw new Error('no end');
    } catch (error) {
      const failure = signal.aborted ? signal.reason : toFailure(error);
      if (state && accepted && this.telling === 'mark') markBackendStateRetired(failure);
      throw failure;
    } finally {
      if (state && accepted && !ended && this.telling === 'observer') observer?.backendStateRetired();
    }
  }
}

function wholeTurn({ purpose, system, tools, messages }: ModelRequest): Turn {
  const content = {
    system: system.map(({ text }) => text),
    tools,
    blocks: messages.flatMap((message) => message.content.map((block) => ({ role: message.role, ...block }))),
  };
  return { kind: purpose ?? 'turn', ...content, digest: digestOf(content) };
}

/** Errors: ProviderError `state_lost` when the conversation does not begin with what was sent. */
function continued(whole: Turn, { id, revision, sent, digest }: State): Turn {
  const rest = { system: [], tools: [], digest: whole.digest, kind: whole.kind, transcript: { id, revision } };
  if (whole.kind === 'summary') return { ...rest, blocks: whole.blocks.slice(-1) };
  if (digestOf({ ...whole, blocks: whole.blocks.slice(0, sent) }) !== digest) throw stateLost();
  const later = whole.blocks.slice(sent);
  return { ...rest, blocks: later.slice(later.findIndex(({ role }) => role === 'user')) };
}

function stateOf(value: JsonValue | undefined): State | undefined {
  return value === undefined ? undefined : (value as unknown as State);
}

type Line =
  | { type: 'text'; text: string }
  | { type: 'tool_call'; callId: string; name: string; input: unknown }
  | { type: 'usage'; input: number; output: number }
  | { type: 'transcript'; id: string; revision: number }
  | { type: 'retired' }
  | { type: 'end'; stopReason: 'end_turn' | 'tool_use' };

function toEvent(line: Line, index: number, { blocks, digest }: Turn): StreamEvent {
  switch (line.type) {
    case 'text':
      return { type: 'text_delta', index, text: line.text };
    case 'tool_call':
      return { type: 'tool_call_end', index, callId: line.callId, name: line.name, input: line.input };
    case 'usage':
      return { type: 'usage', usage: { input: line.input, output: line.output } };
    case 'transcript':
      return {
        type: 'backend_state',
        value: { id: line.id, revision: line.revision, sent: blocks.length, digest },
      };
    case 'retired':
      return { type: 'backend_state_retired' };
    case 'end':
      return { type: 'end', stopReason: line.stopReason };
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<Line> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}

function stateLost(): ProviderError {
  return new ProviderError('state_lost', 'The server does not hold this transcript.', { advice: 'Try again.' });
}

function toFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError('cut', 'The connection broke.', { advice: 'Try again.', cause: error });
}

import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { anthropicClient, anthropicModel, openAiClient, openAiModel, postMessages } from './clients.ts';
import { call, type EventName, type Fault, type Reply, reply, say, status } from './script.ts';
import { type Rig, startRig } from './server.ts';
import { until } from './until.ts';

const user = { role: 'user' as const, content: 'hello' };
const request = { model: anthropicModel, max_tokens: 4096, messages: [user] };
const chat = { model: openAiModel, messages: [user], stream_options: { include_usage: true } };

interface Seen {
  text: string;
  events: string[];
  error: unknown;
}

describe('faults', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  async function streamMessages(step: Reply): Promise<Seen> {
    rig.script(step);
    const seen: Seen = { text: '', events: [], error: undefined };
    try {
      for await (const event of await anthropicClient(rig).messages.create({ ...request, stream: true })) {
        seen.events.push(event.type);
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') seen.text += event.delta.text;
      }
    } catch (error) {
      seen.error = error;
    }
    return seen;
  }

  async function streamChat(step: Reply): Promise<Seen> {
    rig.script(step);
    const seen: Seen = { text: '', events: [], error: undefined };
    try {
      for await (const chunk of await openAiClient(rig).chat.completions.create({ ...chat, stream: true }))
        seen.text += chunk.choices[0]?.delta.content ?? '';
    } catch (error) {
      seen.error = error;
    }
    return seen;
  }

  const breaking: Fault['action'][] = ['cut', 'reset', 'torn'];
  for (const action of breaking) {
    it(`${action}: Anthropic breaks at the second delta, after the first was read`, async () => {
      const seen = await streamMessages(
        reply(say('one', 'two'), { fault: { action, at: 'content_block_delta', nth: 2 } }),
      );
      assert.equal(seen.text, 'one');
      assert.ok(seen.error instanceof Error);
      assert.equal(rig.requests[0]?.end, 'fault');
      assert.equal(rig.requests[0]?.status, 200);
    });

    it(`${action}: OpenAI breaks at the second content chunk, after the first was read`, async () => {
      const seen = await streamChat(reply(say('one', 'two'), { fault: { action, at: 'content', nth: 2 } }));
      assert.equal(seen.text, 'one');
      assert.ok(seen.error instanceof Error);
    });
  }

  it('breaks at any named event', async () => {
    const expected: [EventName, string | undefined][] = [
      ['message_start', undefined],
      ['content_block_start', 'message_start'],
      ['content_block_stop', 'content_block_delta'],
      ['message_delta', 'content_block_stop'],
      ['message_stop', 'message_delta'],
    ];
    for (const [at, last] of expected) {
      const seen = await streamMessages(reply(say('x'), { fault: { action: 'reset', at } }));
      assert.equal(seen.events.at(-1), last, at);
      assert.ok(seen.error instanceof Error, at);
    }
    const chunks: [EventName, string][] = [
      ['role', ''],
      ['tool_calls', 'x'],
      ['finish', 'x'],
      ['usage', 'x'],
      ['done', 'x'],
    ];
    for (const [at, text] of chunks) {
      const seen = await streamChat(reply(say('x'), call('ls', {}), { fault: { action: 'cut', at } }));
      assert.equal(seen.text, text, at);
      assert.ok(seen.error instanceof Error, at);
    }
  });

  it('breaks before anything is sent', async () => {
    const seen = await streamMessages(reply(say('x'), { fault: { action: 'reset', at: 'headers' } }));
    assert.ok(seen.error instanceof Anthropic.APIConnectionError);
    assert.equal(rig.requests[0]?.status, undefined);
    assert.equal(rig.requests[0]?.end, 'fault');
  });

  it('end: the body ends properly without its last events', async () => {
    const seen = await streamMessages(reply(say('one'), { fault: { action: 'end', at: 'content_block_stop' } }));
    assert.equal(seen.error, undefined);
    assert.equal(seen.events.at(-1), 'content_block_delta');
    const chatSeen = await streamChat(reply(say('one', 'two'), { fault: { action: 'end', at: 'content', nth: 2 } }));
    assert.equal(chatSeen.text, 'one');
  });

  it('stall: nothing more comes until the client leaves', async () => {
    rig.script(reply(say('one', 'two'), { fault: { action: 'stall', at: 'content_block_delta', nth: 2 } }));
    const stream = anthropicClient(rig).messages.stream(request);
    let text = '';
    stream.on('text', (piece) => {
      text += piece;
      setTimeout(() => stream.abort(), 60);
    });
    await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
    assert.equal(text, 'one');
    await until(() => rig.requests[0]?.end !== undefined, 'the reply ends');
    assert.equal(rig.requests[0]?.end, 'left');
  });

  it('stall with a time: the reply goes on', async () => {
    const start = performance.now();
    const seen = await streamChat(
      reply(say('one', 'two'), { fault: { action: 'stall', at: 'content', nth: 2, ms: 60 } }),
    );
    assert.equal(seen.text, 'onetwo');
    assert.equal(seen.error, undefined);
    assert.ok(performance.now() - start >= 55);
    assert.equal(rig.requests[0]?.end, 'complete');
  });

  it('closing the rig ends a stall', async () => {
    rig.script(reply(say('x'), { fault: { action: 'stall', at: 'headers' } }));
    const attempt = anthropicClient(rig).messages.create(request);
    const outcome = assert.rejects(attempt, Anthropic.APIConnectionError);
    await until(() => rig.requests.length > 0, 'the request arrives');
    await rig.close();
    await outcome;
  });

  it('overloaded: an error event inside a reply that began with 200', async () => {
    const first = await streamMessages(reply(say('x'), { fault: { action: 'overloaded', at: 'content_block_start' } }));
    assert.ok(first.error instanceof Anthropic.APIError && first.error.type === 'overloaded_error');
    assert.equal(first.text, '');
    const later = await streamMessages(
      reply(say('x'.repeat(200), 'y'), { fault: { action: 'overloaded', at: 'content_block_delta', nth: 2 } }),
    );
    assert.equal(later.text.length, 200);
    assert.ok(later.error instanceof Anthropic.APIError);
    const chatSeen = await streamChat(reply(say('a', 'b'), { fault: { action: 'overloaded', at: 'content', nth: 2 } }));
    assert.ok(chatSeen.error instanceof OpenAI.APIError && chatSeen.error.code === 'overloaded');
    assert.equal(chatSeen.text, 'a');
  });

  it('overloaded at the headers is a plain 529', async () => {
    const seen = await streamMessages(reply(say('x'), { fault: { action: 'overloaded', at: 'headers' } }));
    assert.ok(seen.error instanceof Anthropic.APIError && seen.error.status === 529);
  });

  it('error: an api_error event', async () => {
    const seen = await streamMessages(reply(say('x'), { fault: { action: 'error', at: 'message_delta' } }));
    assert.ok(seen.error instanceof Anthropic.APIError && seen.error.type === 'api_error');
  });

  it('A4: a call whose arguments stop in the middle, by a false normal stop', async () => {
    rig.script(reply(call('write', {}, { fragments: ['{"path":"a.ts",', '"content":"hal'] })));
    const parts: string[] = [];
    let stop: string | null = null;
    for await (const event of await anthropicClient(rig).messages.create({ ...request, stream: true })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
        parts.push(event.delta.partial_json);
      if (event.type === 'message_delta') stop = event.delta.stop_reason;
    }
    assert.equal(parts.join(''), '{"path":"a.ts","content":"hal');
    assert.equal(stop, 'tool_use');
  });

  it('tells when the reply had no event to break at', async () => {
    await streamMessages(reply(say('x'), { fault: { action: 'cut', at: 'content_block_delta', nth: 9 } }));
    await until(() => rig.violations.length > 0, 'a violation');
    assert.match(rig.violations[0]?.message ?? '', /^SCRIPT: the reply had no content_block_delta to break at/);
  });

  const statuses: [number, new (...args: never[]) => Error, string, new (...args: never[]) => Error][] = [
    [400, Anthropic.BadRequestError, 'invalid_request_error', OpenAI.BadRequestError],
    [401, Anthropic.AuthenticationError, 'authentication_error', OpenAI.AuthenticationError],
    [402, Anthropic.APIError, 'billing_error', OpenAI.APIError],
    [404, Anthropic.NotFoundError, 'not_found_error', OpenAI.NotFoundError],
    [413, Anthropic.APIError, 'request_too_large', OpenAI.APIError],
    [429, Anthropic.RateLimitError, 'rate_limit_error', OpenAI.RateLimitError],
    [500, Anthropic.InternalServerError, 'api_error', OpenAI.InternalServerError],
    [529, Anthropic.APIError, 'overloaded_error', OpenAI.InternalServerError],
  ];
  for (const [code, anthropicError, type, openAiError] of statuses)
    it(`status ${code} in both wires`, async () => {
      rig.script(status(code), status(code, { message: 'as told' }));
      await assert.rejects(
        anthropicClient(rig).messages.create(request),
        (error) =>
          error instanceof anthropicError &&
          error instanceof Anthropic.APIError &&
          error.status === code &&
          error.type === type,
      );
      await assert.rejects(
        openAiClient(rig).chat.completions.create({ ...chat, stream: true }),
        (error) => error instanceof openAiError && error.message === `${code} as told`,
      );
      assert.deepEqual(rig.violations, []);
    });

  it('names the wait with a 429', async () => {
    rig.script(status(429, { retryAfter: 30 }), status(429, { retryAfterMs: 250 }));
    const first = await postMessages(rig, [user]);
    assert.equal(first.headers.get('retry-after'), '30');
    const second = await postMessages(rig, [user]);
    assert.equal(second.headers.get('retry-after-ms'), '250');
    assert.equal(second.headers.get('retry-after'), null);
  });

  it('sends the pieces of one block at the scripted pace', async () => {
    const start = performance.now();
    const seen = await streamMessages(reply(say('a', 'b', 'c'), { paceMs: 20 }));
    assert.equal(seen.text, 'abc');
    assert.equal(seen.events.filter((type) => type === 'content_block_start').length, 1);
    assert.ok(performance.now() - start >= 55);
  });

  it('notices a client that left while the script was thinking', async () => {
    let answer = () => {};
    rig.script(
      () =>
        new Promise<Reply>((resolve) => {
          answer = () => resolve(reply(say('late'), { fault: { action: 'stall', at: 'message_start' } }));
        }),
    );
    const controller = new AbortController();
    const attempt = anthropicClient(rig).messages.create({ ...request, stream: true }, { signal: controller.signal });
    await until(() => rig.requests.length > 0, 'the request arrives');
    controller.abort();
    await assert.rejects(attempt, Anthropic.APIUserAbortError);
    await until(() => rig.requests[0]?.end === 'left', 'the rig notices');
    answer();
    await until(() => rig.requests[0]?.status === 200, 'the reply is prepared');
    assert.equal(rig.requests[0]?.end, 'left');
  });

  it('a script that throws is told as such', async () => {
    rig.script(() => {
      throw new Error('no idea');
    });
    assert.equal((await postMessages(rig, [user])).error, 'SCRIPT: no idea');
    assert.equal(rig.violations[0]?.rule, 'SCRIPT');
  });

  it('a faulty reply is followed by the next of the queue', async () => {
    await streamMessages(reply(say('x'), { fault: { action: 'reset', at: 'message_delta' } }));
    const seen = await streamMessages(reply(say('again')));
    assert.equal(seen.text, 'again');
    assert.equal(seen.error, undefined);
  });
});

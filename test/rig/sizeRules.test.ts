import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { anthropicClient, anthropicModel, postBytes, postChat, postMessages } from './clients.ts';
import { reply, say } from './script.ts';
import { type Rig, startRig } from './server.ts';

/** The first bytes of a PNG, which hold its size. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A JPEG's first segments: two that do not matter, then the frame with the size. */
function jpeg(width: number, height: number): Buffer {
  const bytes = Buffer.from('ffd8ffe000044a46ffc400040000ffc0001108000000000301', 'hex');
  bytes.writeUInt16BE(height, 19);
  bytes.writeUInt16BE(width, 21);
  return bytes;
}

const image = (bytes: Buffer, mediaType = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data: bytes.toString('base64') },
});
const user = (...content: unknown[]) => [{ role: 'user', content }];

describe('R5: the window', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({ cap: 100 });
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  it('takes a prompt of exactly the window and refuses one token more', async () => {
    assert.equal((await postMessages(rig, user({ type: 'text', text: 'x'.repeat(400) }))).status, 200);
    const over = await postMessages(rig, user({ type: 'text', text: 'x'.repeat(401) }));
    assert.equal(over.status, 400);
    assert.equal(over.error, 'R5: prompt is too long: 101 tokens > 100 maximum');
    assert.deepEqual(
      rig.requests.map((request) => request.promptTokens),
      [100, 101],
    );
  });

  it('counts tools, system and every block by itself, in UTF-8 bytes', async () => {
    const tool = { name: 'ls', description: 'lists', input_schema: { type: 'object' } };
    await postMessages(rig, user({ type: 'text', text: 'a' }, { type: 'text', text: '\u6f22\u5b57' }), {
      system: 'abcde',
      tools: [tool],
    });
    assert.equal(rig.requests[0]?.promptTokens, Math.ceil(JSON.stringify(tool).length / 4) + 2 + 1 + 2);
  });

  it('counts by the settable rate', async () => {
    rig.settings.tokensPerByte = 0.5;
    await postMessages(rig, user({ type: 'text', text: 'x'.repeat(21) }));
    assert.equal(rig.requests[0]?.promptTokens, 11);
  });

  it('is seen by the SDK as a bad request', async () => {
    const attempt = anthropicClient(rig).messages.create({
      model: anthropicModel,
      max_tokens: 10,
      messages: [{ role: 'user', content: 'y'.repeat(1000) }],
    });
    await assert.rejects(
      attempt,
      (error) => error instanceof Anthropic.BadRequestError && /prompt is too long/.test(error.message),
    );
  });

  it('OpenAI: names context_length_exceeded', async () => {
    const over = await postChat(rig, [{ role: 'user', content: 'x'.repeat(500) }]);
    assert.match(over.error, /^R5: This model's maximum context length is 100 tokens/);
    assert.deepEqual(over.body.error, {
      message: over.error,
      type: 'invalid_request_error',
      param: null,
      code: 'context_length_exceeded',
    });
  });

  it('has a window for each model', async () => {
    rig.model('gpt-6-mini').window = 1000;
    const long = [{ role: 'user', content: 'x'.repeat(500) }];
    assert.equal((await postChat(rig, long, { model: 'gpt-6-mini' })).status, 200);
    assert.equal((await postChat(rig, long)).status, 400);
    assert.throws(() => rig.model('gpt-0'), /no model gpt-0/);
  });

  it('follows a window changed while the rig runs', async () => {
    rig.setCap(1000);
    assert.equal((await postChat(rig, [{ role: 'user', content: 'x'.repeat(500) }])).status, 200);
  });
});

describe('R6: body and images', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({ cap: 100_000_000 });
    rig.script(() => reply(say('ok')));
  });
  afterEach(() => rig.close());

  it('refuses a body over 32 MiB with a 413', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024 + 1, 0x20);
    const answer = await postBytes(`${rig.baseUrlAnthropic}/v1/messages`, Uint8Array.from(body));
    assert.equal(answer.status, 413);
    assert.match(answer.error, /^R6: request of 33554433 bytes/);
  });

  it('refuses a side over 8000 pixels', async () => {
    assert.equal((await postMessages(rig, user(image(png(8000, 10))))).status, 200);
    assert.match(
      (await postMessages(rig, user(image(png(8001, 10))))).error,
      /^R6: messages\.0\.content\.0: image dimensions 8001x10 exceed 8000/,
    );
  });

  it('refuses a side over 2000 pixels once there are more than 20 images, tool results included', async () => {
    const small = Array.from({ length: 19 }, () => image(png(10, 10)));
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'shot', input: {} }] };
    const withResult = (count: number) => [
      { role: 'user', content: small },
      use,
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: Array.from({ length: count }, () => image(png(2400, 1600))),
          },
        ],
      },
    ];
    assert.equal((await postMessages(rig, withResult(1))).status, 200);
    assert.match(
      (await postMessages(rig, withResult(2))).error,
      /^R6: .*2400x1600 exceed 2000 pixels a side \(21 images/,
    );
  });

  it('refuses a declared type that is not that of the bytes', async () => {
    assert.match(
      (await postMessages(rig, user(image(png(5, 5), 'image/jpeg')))).error,
      /^R6: .*declared as image\/jpeg and is image\/png/,
    );
    assert.match(
      (await postMessages(rig, user(image(Buffer.from('hello'))))).error,
      /^R6: .*is no image the rig knows/,
    );
    assert.equal((await postMessages(rig, user(image(jpeg(640, 480), 'image/jpeg')))).status, 200);
  });

  it('counts an image as width x height / 750 tokens', async () => {
    await postMessages(rig, user(image(png(100, 100)), image(jpeg(640, 480), 'image/jpeg')));
    assert.equal(rig.requests[0]?.promptTokens, 14 + 410);
  });

  it('OpenAI: checks images in data URLs', async () => {
    const part = (bytes: Buffer) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
    });
    assert.equal((await postChat(rig, user(part(png(20, 20))))).status, 200);
    assert.match((await postChat(rig, user(part(jpeg(20, 20))))).error, /^R6: .*image\/jpeg/);
  });
});

import assert from 'node:assert/strict';
import type { Endpoint } from '../../../src/core/providers/endpoint.ts';
import { brokenOff, kindOfFailure, notSent, serverError, unreachable } from '../../../src/core/providers/failure.ts';
import type { ProviderErrorKind } from '../../../src/core/providers/provider.ts';
import { saysTooLong, TOO_LONG_WORDINGS } from '../../../src/core/providers/tooLong.ts';
import { testKey } from './support.ts';

const endpoint: Endpoint = {
  label: 'OpenAI',
  baseUrl: 'http://127.0.0.1:11434/v1',
  official: false,
  apiKey: testKey,
  keyVariable: 'OPENAI_API_KEY',
  setting: 'steiner.openai.baseUrl',
};
const failure = (status: number | undefined, text = '', type?: string) => ({
  status,
  text,
  type,
  retryAfterMs: undefined,
});

describe('kindOfFailure', () => {
  const table: [ProviderErrorKind, number | undefined, string, string?][] = [
    ['auth', 401, 'invalid x-api-key', 'authentication_error'],
    ['auth', 403, 'not allowed', 'permission_error'],
    ['auth', undefined, 'bad key', 'authentication_error'],
    ['billing', 402, 'Payment required'],
    ['billing', 400, 'Your credit balance is too low to access the Anthropic API.', 'invalid_request_error'],
    ['billing', 429, 'You exceeded your current quota', 'insufficient_quota insufficient_quota'],
    ['unknown_model', 404, 'model: claude-none', 'not_found_error'],
    ['unknown_model', 404, 'The model `gpt-none` does not exist', 'invalid_request_error model_not_found'],
    ['unknown_model', 404, 'model "llama9" not found, try pulling it first', 'api_error'],
    ['unknown_model', 400, 'foo/bar is not a valid model ID'],
    ['unknown_model', 400, 'Invalid model name passed in model=foo'],
    ['bad_request', 404, '404 page not found'],
    ['bad_request', 400, 'tools.0.input_schema: field required', 'invalid_request_error'],
    ['bad_request', undefined, 'messages: field required', 'invalid_request_error'],
    ['bad_request', 422, 'unprocessable'],
    [
      'rate_limit',
      429,
      'This request would exceed your rate limit of 40,000 input tokens per minute',
      'rate_limit_error',
    ],
    ['rate_limit', undefined, 'slow down', 'rate_limit_error'],
    ['rate_limit', 429, 'Too many tokens, please wait before trying again.'],
    ['overloaded', 529, 'Overloaded', 'overloaded_error'],
    ['overloaded', 503, 'Loading model', 'unavailable_error'],
    ['overloaded', undefined, 'Overloaded', 'overloaded_error'],
    ['overloaded', 500, 'The model is currently overloaded with other requests.'],
    ['too_long', 413, 'Request exceeds the maximum size', 'request_too_large'],
    ['too_long', 400, '', 'invalid_request_error context_length_exceeded'],
    ['too_long', 500, 'the request exceeds the available context size, try increasing it'],
    ['too_long', 429, 'Request too large for gpt-6 on tokens per min (TPM): Limit 30000, Requested 54000.', 'tokens'],
    ['server', 500, 'Internal server error', 'api_error'],
    ['server', 502, ''],
    ['server', 504, ''],
    ['server', 408, 'timeout'],
    ['server', undefined, 'something broke', 'api_error'],
  ];
  for (const [kind, status, text, type] of table) {
    it(`${status ?? 'in the stream'} ${JSON.stringify(text)} is ${kind}`, () =>
      assert.equal(kindOfFailure(failure(status, text, type)), kind));
  }
});

describe('saysTooLong', () => {
  // As the servers word it; every row of the table in the source must be met by at least one.
  const samples: [string, string][] = [
    ['OpenAI', 'context_length_exceeded'],
    ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
    [
      'OpenAI',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
    ],
    [
      'OpenAI',
      '429 Request too large for gpt-6 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 54000',
    ],
    ['Anthropic', 'prompt is too long: 215000 tokens > 200000 maximum'],
    [
      'Anthropic',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens`',
    ],
    ['Anthropic', 'Request exceeds the maximum size'],
    ['Anthropic', 'request_too_large'],
    ['llama.cpp', 'request (8210 tokens) exceeds the available context size (4096 tokens), try increasing it'],
    ['llama.cpp', 'exceed_context_size_error'],
    [
      'vLLM',
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
    ],
    ['vLLM', 'The decoder prompt (length 8357) is longer than the maximum model length of 8192.'],
    [
      'vLLM',
      "You passed 4097 input tokens and requested 512 output tokens. However, the model's context length is only 4096 tokens.",
    ],
    ['Ollama', 'prompt too long; exceeded max context length by 17 tokens'],
    ['Ollama', 'the input length exceeds the context length'],
    [
      'LM Studio',
      'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    ],
    ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
    ['LM Studio', 'Context size has been exceeded.'],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens",
    ],
    ['Groq', 'Please reduce the length of the messages or completion.'],
    ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ['Gemini', 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'],
    ['Bedrock', 'Input is too long for requested model.'],
    ['others', 'context length exceeded'],
  ];
  for (const [server, text] of samples) it(`${server}: ${text.slice(0, 70)}`, () => assert.ok(saysTooLong(text)));

  it('has a sample for every wording', () => {
    for (const { server, pattern } of TOO_LONG_WORDINGS)
      assert.ok(
        samples.some(([, text]) => pattern.test(text)),
        server,
      );
  });

  for (const text of [
    'Rate limit reached for gpt-6 on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000.',
    'This request would exceed the rate limit for your organization; maximum context length usage is limited per minute: rate limit',
    'Too many tokens, please wait before trying again.',
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
    'max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens',
  ]) {
    it(`is not: ${text.slice(0, 70)}`, () => assert.ok(!saysTooLong(text)));
  }
});

describe('messages of provider errors', () => {
  it('say what happened, quote the server in one line, and say what to do', () => {
    const error = serverError(failure(404, '404 The model `x`\n  does not exist', 'model_not_found'), endpoint, 'x');
    assert.equal(error.message, 'OpenAI does not know the model x (status 404): The model `x` does not exist');
    assert.equal(error.advice, 'Choose another one with “Steiner: Select Model”.');
    assert.equal(error.status, 404);
  });

  it('every kind has a message and an advice, and names the base URL where it may be wrong', () => {
    for (const status of [400, 401, 402, 403, 404, 413, 429, 500, 503, 529]) {
      const error = serverError(failure(status), endpoint, 'm');
      assert.match(error.message, new RegExp(`^[A-Z].*\\(status ${status}\\)\\.$`));
      assert.match(error.advice, /^[A-Z].*\.$/);
    }
    const wrongPath = serverError(failure(404, '404 page not found'), endpoint, 'm');
    assert.match(`${wrongPath.message} ${wrongPath.advice}`, /127\.0\.0\.1:11434.*steiner\.openai\.baseUrl.*\/v1/);
  });

  it('does not quote HTML, the SDK’s filler or endless texts', () => {
    const html = serverError(failure(502, '502 <html><head><title>Bad gateway</title></head><body>…'), endpoint, 'm');
    assert.equal(html.message, 'OpenAI failed to answer (status 502): Bad gateway');
    assert.equal(
      serverError(failure(500, '500 status code (no body)'), endpoint, 'm').message,
      'OpenAI failed to answer (status 500).',
    );
    const long = serverError(failure(500, '😀'.repeat(1000)), endpoint, 'm');
    assert.ok(long.message.length < 500 && long.message.isWellFormed());
  });

  it('an answer of 401 without a key is a missing key', () => {
    assert.equal(serverError(failure(401), { ...endpoint, apiKey: undefined }, 'm').kind, 'no_key');
  });

  it('A27: no message holds the key, however it was echoed', () => {
    const echoes = [
      `invalid header Authorization: Bearer ${testKey}`,
      `{"headers":{"authorization":"Bearer ${testKey}","x-api-key":"${testKey}"}}`,
      `Incorrect API key provided: ${testKey}. Find yours in the console.`,
      `GET /v1?key=${encodeURIComponent(testKey)}`,
      `${'x'.repeat(395)}${testKey}`,
    ];
    for (const text of echoes) {
      for (const error of [serverError(failure(401, text), endpoint, 'm'), notSent(new Error(text), endpoint)]) {
        const shown = `${error.message} ${error.advice} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
        assert.ok(!shown.includes(testKey), shown);
        assert.ok(!shown.includes(testKey.slice(0, 12)), shown);
      }
    }
  });

  it('A27: masks bearer tokens that are not ours, and leaves sentences alone', () => {
    const said = (text: string, apiKey = testKey) =>
      notSent(new Error(text), { ...endpoint, apiKey })
        .message.split(': ')
        .slice(1)
        .join(': ');
    assert.equal(said('sent Bearer abc123def456ghi to upstream'), 'sent Bearer [key] to upstream');
    assert.equal(said('Bearer authentication is required'), 'Bearer authentication is required');
    assert.equal(
      said('the key ollama is no good for ollama-server', 'ollama'),
      'the key [key] is no good for ollama-server',
    );
  });
});

describe('unreachable and broken connections', () => {
  const withCode = (code: string) =>
    new Error('Connection error.', {
      cause: new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }),
    });

  it('names the base URL and the reason', () => {
    const error = unreachable(withCode('ECONNREFUSED'), endpoint, false);
    assert.equal(error.kind, 'unreachable');
    assert.equal(
      error.message,
      'OpenAI cannot be reached at http://127.0.0.1:11434/v1: nothing listens there (ECONNREFUSED).',
    );
    assert.match(error.advice, /steiner\.openai\.baseUrl, and that the server is running/);
    assert.match(unreachable(withCode('ENOTFOUND'), endpoint, false).message, /host name is not known/);
    assert.match(unreachable(withCode('UND_ERR_CONNECT_TIMEOUT'), endpoint, false).message, /did not answer in time/);
    assert.match(unreachable(new Error('?'), endpoint, true).message, /did not answer in time/);
    assert.match(unreachable(withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), endpoint, false).advice, /certificate/);
    assert.match(unreachable(new Error('?'), endpoint, false).message, /11434\/v1\.$/);
  });

  it('finds the reason among the addresses of a host', () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    const both = new Error('Connection error.', { cause: new AggregateError([refused, refused]) });
    assert.match(unreachable(both, endpoint, false).message, /ECONNREFUSED/);
  });

  it('a broken answer can be retried', () => {
    const error = brokenOff(endpoint, withCode('ECONNRESET'));
    assert.deepEqual([error.kind, error.retryable], ['cut', true]);
    assert.match(error.message, /broke off before it was complete \(the connection was reset \(ECONNRESET\)\)/);
  });
});

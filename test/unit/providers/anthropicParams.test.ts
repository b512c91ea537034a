import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelRequest, RequestMessage } from '../../../src/core/conversation/request.ts';
import { toAnthropicParams } from '../../../src/core/providers/anthropic/params.ts';
import { modelRequest } from './support.ts';

const toolLoop: RequestMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'read a.ts' }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_call', callId: 'toolu_1', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_call', callId: 'toolu_2', name: 'read', input: { path: 'b.ts' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', callId: 'toolu_1', content: 'A', isError: false },
      { type: 'tool_result', callId: 'toolu_2', content: 'no such file', isError: true },
      { type: 'text', text: 'go on' },
    ],
  },
];

describe('toAnthropicParams', () => {
  it('maps every kind of block', () => {
    const params = toAnthropicParams(modelRequest({ messages: toolLoop }));
    assert.deepEqual(params, {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      tools: [
        {
          name: 'read',
          description: 'Reads a file.',
          input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
      ],
      system: [{ type: 'text', text: 'You are a coding agent.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'read a.ts' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'redacted_thinking', data: 'xyz' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts' } },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'b.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such file', is_error: true },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
      stream: true,
    });
  });

  it('puts markers with their TTL on the named blocks and nowhere else', () => {
    const { system, messages } = toAnthropicParams(
      modelRequest({
        system: [
          { source: 'preamble', text: 'one' },
          { source: 'conversation_summary', text: 'two' },
        ],
        messages: toolLoop,
        breakpoints: [
          { at: 'system', block: 0, ttl: '1h' },
          { at: 'message', message: 2, block: 1, ttl: '5m' },
        ],
      }),
    );
    assert.deepEqual(system, [
      { type: 'text', text: 'one', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'two' },
    ]);
    assert.deepEqual(messages[2]?.content[1], {
      type: 'tool_result',
      tool_use_id: 'toolu_2',
      content: 'no such file',
      is_error: true,
      cache_control: { type: 'ephemeral', ttl: '5m' },
    });
    assert.equal(JSON.stringify(messages).split('cache_control').length, 2);
  });

  it('never puts a marker on a thinking block', () => {
    const breakpoints: ModelRequest['breakpoints'] = [
      { at: 'message', message: 1, block: 0, ttl: '5m' },
      { at: 'message', message: 1, block: 1, ttl: '5m' },
    ];
    assert.ok(
      !JSON.stringify(toAnthropicParams(modelRequest({ messages: toolLoop, breakpoints }))).includes('cache_control'),
    );
  });

  it('drops what the wire refuses: blank texts, unsigned thinking, empty zones', () => {
    const params = toAnthropicParams(
      modelRequest({
        system: [{ source: 'preamble', text: ' \n' }],
        tools: [],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'from a local model', signature: '' },
              { type: 'text', text: '\n\n' },
              { type: 'tool_call', callId: 'c', name: 'read', input: {} },
            ],
          },
        ],
      }),
    );
    assert.deepEqual(Object.keys(params), ['model', 'max_tokens', 'messages', 'stream']);
    assert.deepEqual(params.messages[1]?.content, [{ type: 'tool_use', id: 'c', name: 'read', input: {} }]);
  });

  it('brings ids and tool names of other providers into the alphabet of the wire, call and result alike', () => {
    const { messages } = toAnthropicParams(
      modelRequest({
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'tool_call', callId: 'functions.read:0', name: 'fs.read', input: {} }],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', callId: 'functions.read:0', content: 'x', isError: false }],
          },
        ],
      }),
    );
    assert.deepEqual(messages[0]?.content[0], {
      type: 'tool_use',
      id: 'functions-2e-read-3a-0',
      name: 'fs_read',
      input: {},
    });
    assert.deepEqual(messages[1]?.content[0], {
      type: 'tool_result',
      tool_use_id: 'functions-2e-read-3a-0',
      content: 'x',
    });
  });

  describe('thinking', () => {
    const thinking = (model: string, thinkingBudget?: number, maxOutputTokens = 32_000) =>
      toAnthropicParams(modelRequest({ model, maxOutputTokens, ...(thinkingBudget ? { thinkingBudget } : {}) }))
        .thinking;
    const adaptive = { type: 'adaptive', display: 'summarized' };

    it('gives a budget to models before 4.6, and leaves the field out when thinking is off', () => {
      assert.deepEqual(thinking('claude-haiku-4-5-20251001', 8000), { type: 'enabled', budget_tokens: 8000 });
      assert.deepEqual(thinking('claude-3-7-sonnet-20250219', 8000), { type: 'enabled', budget_tokens: 8000 });
      assert.equal(thinking('claude-opus-4-5'), undefined);
      assert.equal(thinking('claude-opus-4-8'), undefined);
    });
    it('keeps the budget below max_tokens and above the smallest one', () => {
      assert.deepEqual(thinking('claude-opus-4-5', 8000, 4096), { type: 'enabled', budget_tokens: 4095 });
      assert.equal(thinking('claude-opus-4-5', 500), undefined);
      assert.equal(thinking('claude-opus-4-5', 8000, 1000), undefined);
    });
    it('is adaptive for models that refuse budgets', () => {
      for (const model of [
        'claude-opus-4-6',
        'claude-sonnet-4-6',
        'claude-opus-4-7',
        'claude-opus-5',
        'claude-sonnet-5',
      ])
        assert.deepEqual(thinking(model, 8000), adaptive, model);
    });
    it('is adaptive, budget or not, for models that always think', () => {
      for (const model of [
        'claude-fable-5',
        'claude-mythos-preview',
        'claude-fable-5-2',
        'claude-opus-5-5',
        'claude-haiku-5-5',
      ])
        assert.deepEqual([thinking(model), thinking(model, 8000)], [adaptive, adaptive], model);
    });
    it('says so when a model that thinks by default shall not', () => {
      assert.deepEqual(thinking('claude-opus-5'), { type: 'disabled' });
      assert.deepEqual(thinking('claude-sonnet-5-20260801'), { type: 'disabled' });
    });
    it('knows routed names and leaves others alone', () => {
      assert.deepEqual(thinking('anthropic/claude-opus-4.7', 8000), adaptive);
      assert.equal(thinking('some-model'), undefined);
    });
  });

  it('is byte-stable and append-only: longer conversations continue the bytes of shorter ones (property)', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 }).map((value) => `x${value}`);
    const message = fc.oneof(
      text.map((value): RequestMessage => ({ role: 'user', content: [{ type: 'text', text: value }] })),
      fc.tuple(text, fc.dictionary(text, fc.jsonValue())).map(
        ([value, input]): RequestMessage => ({
          role: 'assistant',
          content: [
            { type: 'text', text: value },
            { type: 'tool_call', callId: value, name: value, input },
          ],
        }),
      ),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), fc.nat(8), (messages, cut) => {
        const bytes = (kept: RequestMessage[]) => JSON.stringify(toAnthropicParams(modelRequest({ messages: kept })));
        const whole = bytes(messages);
        assert.equal(bytes(structuredClone(messages)), whole);
        const shorter = bytes(messages.slice(0, cut));
        const end = shorter.lastIndexOf('],"stream"');
        assert.ok(whole.startsWith(shorter.slice(0, end)));
      }),
    );
  });
});

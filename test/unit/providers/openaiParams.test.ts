import assert from 'node:assert/strict';
import type { RequestMessage } from '../../../src/core/conversation/request.ts';
import { toOpenAiParams } from '../../../src/core/providers/openai-chat/params.ts';
import { modelRequest } from './support.ts';

const toolLoop: RequestMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'read both' },
      { type: 'text', text: 'please' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'tool_call', callId: 'call_1', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_call', callId: 'call_2', name: 'read', input: { path: 'b.ts' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', callId: 'call_1', content: 'A', isError: false },
      { type: 'tool_result', callId: 'call_2', content: 'no such file', isError: true },
      { type: 'text', text: 'go on' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
];

describe('toOpenAiParams', () => {
  it('maps system, tools and every kind of message', () => {
    const params = toOpenAiParams(
      modelRequest({
        model: 'local-model',
        system: [
          { source: 'preamble', text: 'one' },
          { source: 'project_agents_md', text: 'two' },
        ],
        messages: toolLoop,
      }),
      { official: false },
    );
    assert.deepEqual(params, {
      model: 'local-model',
      messages: [
        { role: 'system', content: 'one\n\ntwo' },
        { role: 'user', content: 'read both\n\nplease' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } },
            { id: 'call_2', type: 'function', function: { name: 'read', arguments: '{"path":"b.ts"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A' },
        { role: 'tool', tool_call_id: 'call_2', content: 'no such file' },
        { role: 'user', content: 'go on' },
        { role: 'assistant', content: 'Done.' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'read',
            description: 'Reads a file.',
            parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
          },
        },
      ],
      max_tokens: 4096,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('sends fields that only OpenAI knows to OpenAI only', () => {
    const official = toOpenAiParams(modelRequest(), { official: true });
    assert.equal(official.prompt_cache_key, 'session-1');
    assert.equal(official.max_completion_tokens, 4096);
    assert.ok(!('max_tokens' in official));
    const compatible = toOpenAiParams(modelRequest(), { official: false });
    assert.ok(!('prompt_cache_key' in compatible) && !('max_completion_tokens' in compatible));
  });

  it('leaves out what would be empty: no tools, no system, blank texts, turns of thinking alone', () => {
    const params = toOpenAiParams(
      modelRequest({
        system: [],
        tools: [],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'text', text: '\n' },
            ],
          },
          { role: 'user', content: [{ type: 'text', text: 'go on' }] },
        ],
      }),
      { official: false },
    );
    assert.ok(!('tools' in params));
    assert.deepEqual(params.messages, [
      { role: 'user', content: 'hi' },
      { role: 'user', content: 'go on' },
    ]);
  });

  it('shortens ids that OpenAI refuses for their length, the same way in call and result', () => {
    const long = `call_${'x'.repeat(60)}`;
    const other = `call_${'x'.repeat(59)}y`;
    const idsOf = (callId: string) => {
      const { messages } = toOpenAiParams(
        modelRequest({
          messages: [
            { role: 'assistant', content: [{ type: 'tool_call', callId, name: 'read', input: {} }] },
            { role: 'user', content: [{ type: 'tool_result', callId, content: 'x', isError: false }] },
          ],
        }),
        { official: true },
      );
      const [, call, result] = messages;
      return [
        call?.role === 'assistant' ? call.tool_calls?.[0]?.id : undefined,
        result?.role === 'tool' ? result.tool_call_id : undefined,
      ];
    };
    const [id, answered] = idsOf(long);
    assert.equal(id?.length, 40);
    assert.equal(answered, id);
    assert.notEqual(idsOf(other)[0], id);
    assert.deepEqual(idsOf('call_1'), ['call_1', 'call_1']);
  });
});

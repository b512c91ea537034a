import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CallIds } from '../../../src/core/providers/callIds.ts';
import { type CallFragment, ToolCallAssembler } from '../../../src/core/providers/openai-chat/toolCalls.ts';
import { counterIds, modelRequest, ofType } from './support.ts';

interface Assembled {
  callId: string;
  name: string;
  input: unknown;
  problem?: string;
}

function assemble(fragments: CallFragment[], earlierIds: string[] = []): Assembled[] {
  let blocks = 0;
  const request = modelRequest({
    messages: earlierIds.map((callId) => ({
      role: 'assistant',
      content: [{ type: 'tool_call', callId, name: 'read', input: {} }],
    })),
  });
  const assembler = new ToolCallAssembler(new CallIds(request, counterIds()), () => blocks++);
  const events = [...fragments.flatMap((fragment) => assembler.add(fragment)), ...assembler.finish('tool_use')];
  const starts = ofType(events, 'tool_call_start');
  const ends = ofType(events, 'tool_call_end');
  assert.deepEqual(
    starts.map(({ index, callId, name }) => ({ index, callId, name })),
    [...ends].sort((a, b) => a.index - b.index).map(({ index, callId, name }) => ({ index, callId, name })),
    'every call starts and ends exactly once',
  );
  for (const { index, input, problem } of ends) {
    const streamed = ofType(events, 'tool_call_delta')
      .filter((delta) => delta.index === index)
      .map(({ partialJson }) => partialJson)
      .join('');
    if (problem === undefined && streamed !== '') assert.deepEqual(JSON.parse(streamed), input);
  }
  return ends.map(({ callId, name, input, problem }) => ({ callId, name, input, ...(problem ? { problem } : {}) }));
}

const a = { callId: 'id_a', name: 'read', input: { path: 'a' } };
const b = { callId: 'id_b', name: 'list', input: { dir: 'b' } };

describe('A5: tool calls from the fragments of compatible servers', () => {
  const cases: [string, CallFragment[], Assembled[]][] = [
    [
      'well-behaved: index on all, id and name on the first fragment',
      [
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '' } },
        { index: 0, function: { arguments: '{"path":' } },
        { index: 0, function: { arguments: '"a"}' } },
        { index: 1, id: 'id_b', function: { name: 'list', arguments: '{"dir":"b"}' } },
      ],
      [a, b],
    ],
    [
      'no index',
      [
        { id: 'id_a', function: { name: 'read', arguments: '' } },
        { function: { arguments: '{"path":"a"}' } },
        { id: 'id_b', function: { name: 'list', arguments: '' } },
        { function: { arguments: '{"dir":"b"}' } },
      ],
      [a, b],
    ],
    [
      'both index 0 with different ids',
      [
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '{"path":"a"}' } },
        { index: 0, id: 'id_b', function: { name: 'list', arguments: '{"dir":' } },
        { index: 0, function: { arguments: '"b"}' } },
      ],
      [a, b],
    ],
    [
      'id only on the first fragment, fragments interleaved',
      [
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '' } },
        { index: 1, id: 'id_b', function: { name: 'list', arguments: '' } },
        { index: 0, function: { arguments: '{"path":' } },
        { index: 1, function: { arguments: '{"dir":' } },
        { index: 0, function: { arguments: '"a"}' } },
        { index: 1, function: { arguments: '"b"}' } },
      ],
      [a, b],
    ],
    [
      'interleaved by id without an index',
      [
        { id: 'id_a', function: { name: 'read', arguments: '{"path":' } },
        { id: 'id_b', function: { name: 'list', arguments: '{"dir":' } },
        { id: 'id_a', function: { arguments: '"a"}' } },
        { id: 'id_b', function: { arguments: '"b"}' } },
      ],
      [a, b],
    ],
    [
      'same id twice in a turn, with an index',
      [
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '{"path":"a"}' } },
        { index: 1, id: 'id_a', function: { name: 'list', arguments: '{"dir":"b"}' } },
      ],
      [a, { ...b, callId: 'call_own1' }],
    ],
    [
      'same id and same tool twice in a turn, without an index, name first',
      [
        { id: 'id_a', function: { name: 'read', arguments: '' } },
        { function: { arguments: '{"path":"a"}' } },
        { id: 'id_a', function: { name: 'read', arguments: '' } },
        { function: { arguments: '{"path":"b"}' } },
      ],
      [a, { callId: 'call_own1', name: 'read', input: { path: 'b' } }],
    ],
    [
      'empty id',
      [
        { index: 0, id: '', function: { name: 'read', arguments: '{"path":"a"}' } },
        { index: 1, id: '', function: { name: 'list', arguments: '{"dir":"b"}' } },
      ],
      [
        { ...a, callId: 'call_own1' },
        { ...b, callId: 'call_own2' },
      ],
    ],
    [
      'no id and no index at all',
      [
        { function: { name: 'read', arguments: '{"path":"a"}' } },
        { function: { name: 'read', arguments: '{"path":"b"}' } },
      ],
      [
        { ...a, callId: 'call_own1' },
        { callId: 'call_own2', name: 'read', input: { path: 'b' } },
      ],
    ],
    [
      'name after the arguments',
      [
        { index: 0, id: 'id_a', function: { arguments: '{"path":' } },
        { index: 0, function: { arguments: '"a"}' } },
        { index: 0, function: { name: 'read' } },
        { index: 1, id: 'id_b', function: { arguments: '{"dir":"b"}' } },
        { index: 1, function: { name: 'list' } },
      ],
      [a, b],
    ],
    [
      'name after the arguments, both index 0, the first without arguments',
      [
        { index: 0, id: 'id_a', function: { arguments: '' } },
        { index: 0, function: { name: 'read' } },
        { index: 0, id: 'id_b', function: { arguments: '' } },
        { index: 0, function: { arguments: '{"dir":"b"}' } },
        { index: 0, function: { name: 'list' } },
      ],
      [{ ...a, input: {} }, b],
    ],
    [
      'id and name repeated on every fragment',
      [
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '{"path":' } },
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '"a"}' } },
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '' } },
      ],
      [a],
    ],
    [
      'a fresh id on every fragment of one call',
      [
        { index: 0, id: 'id_a', function: { name: 'read', arguments: '{"path":' } },
        { index: 0, id: 'made-up', function: { arguments: '"a"' } },
        { index: 0, id: 'made-up-too', function: { arguments: '}' } },
      ],
      [a],
    ],
    [
      'null fields and arguments as an object',
      [
        { index: null, id: 'id_a', function: { name: 'read', arguments: { path: 'a' } } },
        { index: null, id: null, function: { name: null, arguments: null } },
        { id: 'id_b', function: null },
        { function: { name: 'list', arguments: { dir: 'b' } } },
      ],
      [a, b],
    ],
    ['an empty fragment is no call', [{ index: 0, id: '', function: { name: '', arguments: '' } }], []],
    [
      'braces and quotes inside strings',
      [{ function: { name: 'read', arguments: '{"path":"}{\\"' } }, { function: { arguments: '}\\\\"}' } }],
      [{ callId: 'call_own1', name: 'read', input: { path: '}{"}\\' } }],
    ],
  ];
  for (const [name, fragments, expected] of cases) {
    it(`A5: ${name}`, () => assert.deepEqual(assemble(fragments), expected));
  }

  it('A5: the same id in every turn is replaced from the second turn on', () => {
    const fragment = { index: 0, id: 'call_0', function: { name: 'read', arguments: '{"path":"a"}' } };
    assert.equal(assemble([fragment])[0]?.callId, 'call_0');
    assert.equal(assemble([fragment], ['call_0'])[0]?.callId, 'call_own1');
    assert.equal(assemble([fragment], ['call_0', 'call_own1'])[0]?.callId, 'call_own2');
  });

  it('A5: a call without a name is answered with a problem, never run', () => {
    const [call] = assemble([{ index: 0, id: 'id_a', function: { arguments: '{"path":"a"}' } }]);
    assert.deepEqual(call?.input, {});
    assert.match(call?.problem ?? '', /does not name a tool/);
  });

  it('A5: each call keeps its own arguments whatever the fragments and quirks (property)', () => {
    const input = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue(), { minKeys: 1, maxKeys: 3 });
    const call = fc.record({
      name: fc.constantFrom('read', 'list', 'bash'),
      input,
      cuts: fc.array(fc.nat(60), { maxLength: 4 }),
    });
    const quirks = fc.record({
      index: fc.constantFrom('own', 'missing', 'zero'),
      id: fc.constantFrom('first', 'every', 'same', 'empty'),
      nameLast: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), quirks, (calls, quirk) => {
        const fragments = calls.flatMap(({ name, input, cuts }, number) => {
          const index = quirk.index === 'missing' ? {} : { index: quirk.index === 'zero' ? 0 : number };
          const id = { id: quirk.id === 'empty' ? '' : quirk.id === 'same' ? 'id' : `id_${number}` };
          const pieces = split(JSON.stringify(input), cuts);
          const first = { ...index, ...id, function: quirk.nameLast ? { arguments: '' } : { name, arguments: '' } };
          const rest = pieces.map((piece) => ({
            ...index,
            ...(quirk.id === 'every' ? id : {}),
            function: { arguments: piece },
          }));
          const last = quirk.nameLast ? [{ ...index, ...(quirk.id === 'every' ? id : {}), function: { name } }] : [];
          return [first, ...rest, ...last];
        });
        const told = assemble(fragments);
        const expected = calls.map(({ name, input }) => ({ name, input: JSON.parse(JSON.stringify(input)) }));
        assert.deepEqual(
          told.map(({ name, input }) => ({ name, input })),
          expected,
        );
        assert.equal(new Set(told.map(({ callId }) => callId)).size, calls.length);
      }),
      { numRuns: 500 },
    );
  });
});

function split(text: string, cuts: number[]): string[] {
  const points = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((x, y) => x - y);
  return [0, ...points].map((start, at) => text.slice(start, points[at] ?? text.length));
}

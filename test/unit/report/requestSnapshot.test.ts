import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import type { ModelRequest, RequestMessage } from '../../../src/core/conversation/request.ts';
import { messageHash } from '../../../src/core/report/messageHash.ts';
import { requestSnapshot } from '../../../src/core/report/requestSnapshot.ts';
import { SnapshotStore } from '../../../src/core/report/snapshotStore.ts';
import { play, steps } from '../conversation/arbitrary.ts';
import { head, lineageOf } from '../conversation/support.ts';

const model = head.model;

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: model.model,
    system: [{ source: 'preamble', text: 'Grüße' }],
    tools: [{ name: 'read', description: 'Liest.', inputSchema: { type: 'object' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: '📁' }] }],
    maxOutputTokens: 1_000,
    breakpoints: [],
    cacheKey: 'session',
    ...change,
  };
}

const mixed: RequestMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'é' }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'mm', signature: 'sealed' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'tool_call', callId: 'c', name: 'read', input: { a: 'ö' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', callId: 'c', content: '日本', isError: false }] },
];

describe('request snapshot', () => {
  it('records model, kind, messages, tools, system blocks and the answer limit', () => {
    const sent = request();
    const { kind, blocks, messages, tools, maxTokens, ...rest } = requestSnapshot(sent, model, 'summary');
    assert.equal(kind, 'summary');
    assert.deepEqual([blocks, messages, tools, maxTokens], [sent.system, sent.messages, sent.tools, 1_000]);
    assert.deepEqual(rest.model, model);
  });

  it('PromptBytes is the sum of role and content lengths in UTF-8 bytes', () => {
    const { promptBytes } = requestSnapshot(request({ messages: mixed }), model, 'main');
    const roles = 'user'.length + 'assistant'.length + 'user'.length;
    const contents = [2, 'mm'.length, 'xyz'.length, 'read'.length + Buffer.byteLength('{"a":"ö"}'), 6];
    assert.equal(
      promptBytes,
      contents.reduce((sum, bytes) => sum + bytes, roles),
    );
  });

  it('BlocksBytes is the sum of the system blocks’ UTF-8 bytes', () => {
    const system = [
      { source: 'preamble', text: 'ä' },
      { source: 'environment', text: 'b📁' },
    ];
    assert.equal(requestSnapshot(request({ system }), model, 'main').blocksBytes, 2 + 5);
  });

  it('ToolsBytes is the encoded length of the tools, also after an edit in place of the same list', () => {
    const sent = request();
    const before = requestSnapshot(sent, model, 'main').toolsBytes;
    assert.equal(before, Buffer.byteLength(JSON.stringify(sent.tools)));
    const [tool] = sent.tools;
    assert.ok(tool);
    tool.description += ' Größer.';
    assert.equal(requestSnapshot(sent, model, 'main').toolsBytes, before + Buffer.byteLength(' Größer.'));
  });
});

describe('message hashes', () => {
  it('are the first four bytes of a sha256 over length-marked texts', () => {
    const input = '4:user4:text4:📁';
    const expected = createHash('sha256').update(input).digest('hex').slice(0, 8);
    assert.equal(messageHash({ role: 'user', content: [{ type: 'text', text: '📁' }] }), expected);
  });

  it('differ for every field of a message, and do not depend on its neighbours', () => {
    const base = JSON.stringify(mixed);
    const changes: [string, string, number][] = [
      ['"é"', '"e"', 0],
      ['"mm"', '"m"', 1],
      ['"sealed"', '"seal"', 1],
      ['"xyz"', '"xy"', 1],
      ['"a":"ö"', '"b":"ö"', 1],
      ['{"a":"ö"}', '{"a":["ö"]}', 1],
      ['"read"', '"reed"', 1],
      ['"日本"', '"日"', 2],
      ['"isError":false', '"isError":true', 2],
    ];
    const before = mixed.map(messageHash);
    for (const [from, to, at] of changes) {
      assert.ok(base.includes(from), from);
      const changed: RequestMessage[] = JSON.parse(base.replace(from, to));
      const after = changed.map(messageHash);
      assert.deepEqual(
        after.map((hash, index) => hash === before[index]),
        before.map((_, index) => index !== at),
        `${from} became ${to}`,
      );
    }
  });

  it('a text moved from one block to the next changes the hash', () => {
    const of = (...texts: string[]) =>
      messageHash({ role: 'user', content: texts.map((text) => ({ type: 'text' as const, text })) });
    assert.notEqual(of('ab', 'c'), of('a', 'bc'));
    assert.notEqual(of('ab4:text1:c'), of('ab', 'c'));
  });

  it('texts longer than the buffer hash as if they were hashed at once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), fc.nat(9), (unit, shift) => {
        const text = `${'x'.repeat(shift)}${unit.repeat(Math.ceil(150_000 / unit.length))}`;
        const input = `4:user4:text${Buffer.byteLength(text)}:${text}`;
        const expected = createHash('sha256').update(input).digest('hex').slice(0, 8);
        assert.equal(messageHash({ role: 'user', content: [{ type: 'text', text }] }), expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe('snapshot store', () => {
  it('has nothing before the first request', () => {
    assert.equal(new SnapshotStore().snapshot(), undefined);
    assert.equal(new SnapshotStore().parentSnapshot(), undefined);
  });

  it('snapshot is the last request of any scope and kind, parentSnapshot the last turn request of the parent', () => {
    const store = new SnapshotStore();
    const record = (maxOutputTokens: number, kind: 'main' | 'summary', scope?: string) =>
      store.store({ ...requestSnapshot(request({ maxOutputTokens }), model, kind), ...(scope ? { scope } : {}) });
    record(1, 'main');
    assert.deepEqual([store.snapshot()?.maxTokens, store.parentSnapshot()?.maxTokens], [1, 1]);
    record(2, 'summary');
    assert.deepEqual([store.snapshot()?.maxTokens, store.parentSnapshot()?.maxTokens], [2, 1]);
    record(3, 'main', 'agent_1');
    assert.deepEqual([store.snapshot()?.maxTokens, store.parentSnapshot()?.maxTokens], [3, 1]);
    record(4, 'main');
    assert.deepEqual([store.snapshot()?.maxTokens, store.parentSnapshot()?.maxTokens], [4, 4]);
  });

  it('a receiver of the event cannot change it, so the store keeps it as it is', () => {
    const event = requestSnapshot(request(), model, 'main');
    for (const list of [event.messages, event.tools, event.blocks, event.messageHashes]) {
      assert.throws(() => Object.assign(list, { length: 0 }), TypeError);
    }
    assert.throws(() => Object.assign(event, { maxTokens: 1 }), TypeError);
  });

  it('keeps a copy of what it was given where that can be changed', () => {
    const store = new SnapshotStore();
    const event = structuredClone(requestSnapshot(request(), model, 'main'));
    store.store(event);
    spoil(event);
    assert.equal(store.snapshot()?.messages.length, 1);
    assert.equal(store.parentSnapshot()?.tools.length, 1);
  });

  it('gives copies out: a reader cannot change what the next one sees', () => {
    const store = new SnapshotStore();
    store.store(requestSnapshot(request(), model, 'main'));
    for (const read of [() => store.snapshot(), () => store.parentSnapshot()]) {
      const before = JSON.stringify(read());
      const [block] = read()?.blocks ?? [];
      assert.ok(block);
      block.text = 'changed';
      const taken = read();
      if (taken) taken.blocks = [];
      assert.equal(JSON.stringify(read()), before);
    }
  });

  it('property: no change of the conversation reaches a snapshot, and no receiver’s change the conversation', () => {
    fc.assert(
      fc.property(steps, steps, (first, then) => {
        const lineage = lineageOf([]);
        let turn = 0;
        for (const step of first) play(step, lineage, ++turn);
        const sent = projectRequest(lineage.view(), { maxOutputTokens: 1_000, cacheKey: 'session' });
        const store = new SnapshotStore();
        const event = requestSnapshot(sent, model, 'main');
        const before = JSON.stringify(event);
        store.store(event);
        for (const step of then) play(step, lineage, ++turn);
        const stored = JSON.stringify(lineage.messages);
        for (const value of [sent, event, store.snapshot(), lineage.view(), lineage.messages.at(-1)]) {
          if (value) spoil(value);
          assert.equal(JSON.stringify(event), before);
          assert.equal(JSON.stringify(store.snapshot()), before);
          assert.equal(JSON.stringify(store.parentSnapshot()), before);
          assert.equal(JSON.stringify(lineage.messages), stored);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Changes every text and empties every list below, as far as they let it. */
function spoil(value: object): void {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object' && item !== null) spoil(item);
    else Reflect.set(value, key, 'spoiled');
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0);
}

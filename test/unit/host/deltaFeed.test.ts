import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { DeltaFeed } from '../../../src/host/chat/deltaFeed.ts';
import { type ChatState, type DeltaOperation, type HostMessage, hostMessage } from '../../../src/protocol.ts';

const append = (id: string, text: string): DeltaOperation => ({ op: 'append', id, text });
const remove = (id: string): DeltaOperation => ({ op: 'remove', id });
const state = (title: string): DeltaOperation => ({ op: 'state', state: chatState(title) });

function chatState(title: string): ChatState {
  return {
    sessionId: 's',
    title,
    model: { id: 'p/m', label: 'm' },
    models: [],
    mode: 'build',
    skills: [],
    activity: { kind: 'idle' },
    meter: { tokens: 0, window: 1, source: 'estimated' },
    queued: [],
  };
}

describe('DeltaFeed', () => {
  let posted: HostMessage[] = [];
  let feed: DeltaFeed;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    posted = [];
    feed = new DeltaFeed((message) => {
      assert.deepEqual(hostMessage.parse(message), message);
      posted.push(message);
    });
  });
  afterEach(() => mock.timers.reset());

  const operations = () => posted.map((message) => (message.type === 'delta' ? message.operations : []));
  const sequences = () => posted.map((message) => (message.type === 'delta' ? message.sequence : undefined));

  it('posts once per batch, within two frames, with numbers that grow by one', () => {
    feed.add([append('a', '1')]);
    mock.timers.tick(29);
    feed.add([remove('b')]);
    assert.deepEqual(posted, []);
    mock.timers.tick(1);
    feed.add([remove('c')]);
    mock.timers.tick(30);
    assert.deepEqual(operations(), [[append('a', '1'), remove('b')], [remove('c')]]);
    assert.deepEqual(sequences(), [1, 2]);
    assert.equal(feed.sequence, 2);
  });

  it('posts nothing when nothing changed', () => {
    feed.add([]);
    feed.flush();
    mock.timers.tick(1_000);
    assert.deepEqual([posted, feed.sequence], [[], 0]);
  });

  it('flushes at once and not a second time when the batch ends', () => {
    feed.add([append('a', '1')]);
    feed.flush();
    mock.timers.tick(1_000);
    assert.deepEqual(sequences(), [1]);
  });

  it('merges neighbouring appends to one item, and only those, in order', () => {
    const first = append('a', '1');
    feed.add([first, append('a', '2'), append('b', '3'), append('a', '4'), remove('a'), append('a', '5')]);
    feed.flush();
    assert.deepEqual(operations(), [
      [append('a', '12'), append('b', '3'), append('a', '4'), remove('a'), append('a', '5')],
    ]);
    assert.deepEqual(first, append('a', '1'), 'what was handed over is not changed');
  });

  it('keeps only the last of neighbouring states', () => {
    feed.add([state('one'), state('two'), append('a', '1'), state('three')]);
    feed.flush();
    assert.deepEqual(operations(), [[state('two'), append('a', '1'), state('three')]]);
  });

  it('after a reset the next delta follows the number that the snapshot carries', () => {
    feed.add([append('a', 'posted')]);
    feed.flush();
    feed.add([append('a', 'held by the snapshot')]);
    feed.reset();
    const snapshot = feed.sequence;
    mock.timers.tick(1_000);
    assert.deepEqual(sequences(), [snapshot]);
    feed.add([append('a', 'new')]);
    mock.timers.tick(30);
    assert.deepEqual(sequences(), [snapshot, snapshot + 1]);
    assert.deepEqual(operations().at(-1), [append('a', 'new')]);
  });

  it('loses nothing that is added while a delta is being posted', () => {
    const texts: string[] = [];
    const reentrant: DeltaFeed = new DeltaFeed((message) => {
      if (message.type !== 'delta') return;
      texts.push(...message.operations.map((each) => (each.op === 'append' ? each.text : each.op)));
      if (message.sequence === 1) reentrant.add([append('a', 'second')]);
    });
    reentrant.add([append('a', 'first')]);
    mock.timers.tick(30);
    mock.timers.tick(30);
    assert.deepEqual(texts, ['first', 'second']);
  });
});

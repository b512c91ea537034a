import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/agent/events.ts';
import { Transcript } from '../../../src/host/chat/transcript.ts';
import { assistant, generation, result, says, user } from '../conversation/support.ts';
import {
  approvalOf,
  delta,
  NOW,
  newTranscript,
  reloaded,
  started,
  titleOf,
  toolCall,
  WatchedTranscript,
} from './support.ts';

const running = (callId: string): AgentEvent => ({
  type: 'tool_started',
  call: toolCall(callId),
  title: `run ${callId}`,
});
const progress = (callId: string, text: string): AgentEvent => ({ type: 'tool_progress', callId, text });
const finished = (...of: Parameters<typeof result>): AgentEvent => ({ type: 'tool_finished', message: result(...of) });

function withCalls(...callIds: string[]): WatchedTranscript {
  const live = new WatchedTranscript();
  live.apply({ type: 'assistant_message', message: assistant(callIds.map((callId) => toolCall(callId))) });
  return live;
}

describe('Transcript: streaming', () => {
  it('grows one item per block and replaces it by the stored one', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, 'Hm', 'thinking'), delta('m', 0, '…', 'thinking'));
    const operations = live.apply(delta('m', 1, 'Yes'), delta('m', 1, ' sir'));
    assert.deepEqual(
      operations.map(({ op }) => op),
      ['put', 'append'],
    );
    assert.deepEqual(live.items, [
      { kind: 'thinking', id: 'm.0', at: NOW, text: 'Hm…', streaming: true },
      { kind: 'assistant', id: 'm.1', at: NOW, markdown: 'Yes sir', streaming: true, incomplete: false },
    ]);
    const message = assistant(
      [
        { type: 'thinking', thinking: 'Hm…', signature: 's' },
        { type: 'text', text: 'Yes sir' },
      ],
      { id: 'm', at: 7, incomplete: true },
    );
    live.apply({ type: 'assistant_message', message });
    assert.deepEqual(live.items, [
      { kind: 'thinking', id: 'm.0', at: 7, text: 'Hm…', streaming: false },
      { kind: 'assistant', id: 'm.1', at: 7, markdown: 'Yes sir', streaming: false, incomplete: true },
    ]);
  });

  it('A4: white space alone shows nothing, neither live nor stored', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, ' ', 'thinking'), delta('m', 1, '\n'), delta('m', 1, '\n'));
    assert.deepEqual(live.items, []);
    const blocks = [
      { type: 'thinking' as const, thinking: ' ', signature: 's' },
      { type: 'text' as const, text: '\n\n' },
    ];
    live.apply({ type: 'assistant_message', message: assistant(blocks, { id: 'm', incomplete: true }) });
    assert.deepEqual(live.items, []);
  });

  it('keeps the white space that stands before the first word: it may be the indent of code', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, '\n'), delta('m', 0, '    '), delta('m', 0, 'code'));
    assert.equal(live.items[0]?.kind === 'assistant' && live.items[0].markdown, '\n    code');
  });

  it('A6: a discarded attempt leaves nothing, and the retry shows its text once', () => {
    const live = new WatchedTranscript();
    live.apply({ type: 'user_message', message: user('go') });
    live.apply(started('m'), delta('m', 0, 'First tr'), delta('m', 1, '  '), {
      type: 'assistant_discarded',
      messageId: 'm',
    });
    assert.equal(live.items.length, 1);
    live.apply(started('m'), delta('m', 0, 'Second try'), delta('m', 1, 'and more'));
    const blocks = [
      { type: 'text' as const, text: 'Second try' },
      { type: 'text' as const, text: 'and more' },
    ];
    const texts = () => live.items.map((item) => (item.kind === 'assistant' ? item.markdown : item.kind));
    assert.deepEqual(texts(), ['user', 'Second try', 'and more']);
    live.apply({ type: 'assistant_message', message: assistant(blocks, { id: 'm' }) });
    assert.deepEqual(texts(), ['user', 'Second try', 'and more']);
  });

  it('A4: Stop during a thought takes it away: it cannot be stored without its signature', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, 'half a thou', 'thinking'), {
      type: 'assistant_message',
      message: assistant([], { id: 'm', incomplete: true }),
    });
    assert.deepEqual(live.items, []);
  });

  it('takes an answer away that was never stored when its turn is over', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, 'lost'), { type: 'turn_finished', turn: 1, end: 'failed' });
    assert.deepEqual(live.items, []);
  });

  it('puts a tool card between the texts that it was called between', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, 'before'), delta('m', 2, 'after'));
    const blocks = [{ type: 'text' as const, text: 'before' }, toolCall('a'), { type: 'text' as const, text: 'after' }];
    const operations = live.apply({ type: 'assistant_message', message: assistant(blocks, { id: 'm' }) });
    assert.deepEqual(
      live.items.map(({ id }) => id),
      ['m.0', 'a', 'm.2'],
    );
    assert.deepEqual(
      operations.filter(({ op }) => op === 'remove'),
      [{ op: 'remove', id: 'm.2' }],
    );
  });

  it('removes nothing when the stored blocks stand as they streamed', () => {
    const live = new WatchedTranscript();
    live.apply(started('m'), delta('m', 0, 'text'));
    const message = assistant([{ type: 'text', text: 'text' }, toolCall('a')], { id: 'm' });
    const operations = live.apply({ type: 'assistant_message', message });
    assert.deepEqual(
      operations.map(({ op }) => op),
      ['put', 'put'],
    );
  });

  it('hands out items that do not change any more', () => {
    const live = new WatchedTranscript();
    const [put] = live.apply(started('m'), delta('m', 0, 'a'));
    const snapshot = live.transcript.newest(9).items;
    live.apply(delta('m', 0, 'b'));
    assert.ok(put?.op === 'put' && put.item.kind === 'assistant' && snapshot[0]?.kind === 'assistant');
    assert.deepEqual([put.item.markdown, snapshot[0].markdown], ['a', 'a']);
  });
});

describe('Transcript: tool cards', () => {
  it('goes from waiting over approval and running to its result', () => {
    const live = withCalls('a');
    assert.deepEqual([live.tool('a').status, live.tool('a').title], ['waiting', titleOf(toolCall('a'))]);
    live.apply(running('a'));
    assert.deepEqual([live.tool('a').status, live.tool('a').title], ['running', 'run a']);
    live.apply(approvalOf('a', 'question'));
    assert.equal(live.tool('a').status, 'waiting');
    assert.deepEqual(live.tool('a').approval, {
      id: 'question',
      title: 'Run: npm test',
      detail: 'npm test',
      detailKind: 'command',
      sessionLabel: 'npm test',
    });
    live.apply({ type: 'approval_resolved', id: 'question', answer: 'once' });
    assert.deepEqual([live.tool('a').status, live.tool('a').approval], ['running', undefined]);
    live.apply(progress('a', 'line 1\n'), progress('a', 'line 2\n'));
    assert.equal(live.tool('a').output, 'line 1\nline 2\n');
    const detail = { title: 'npm test, 2 lines', exitCode: 1, diff: '@@ -1 +1 @@', path: '/w/a.ts' };
    live.apply(finished('a', 'the result', { status: 'error', detail }));
    const { id: _, at: __, kind: ___, ...card } = live.tool('a');
    assert.deepEqual(card, {
      name: 'read',
      status: 'error',
      output: 'the result',
      outputTruncated: false,
      ...detail,
    });
  });

  for (const [answer, status] of [
    ['deny', 'denied'],
    ['cancelled', 'interrupted'],
  ] as const) {
    it(`A3: a question answered with "${answer}" never shows the call as running; its result follows`, () => {
      const live = withCalls('a');
      live.apply(running('a'), approvalOf('a', 'q'), { type: 'approval_resolved', id: 'q', answer });
      assert.deepEqual([live.tool('a').status, live.tool('a').approval], [status, undefined]);
      live.apply(finished('a', 'not run', { status }));
      assert.deepEqual([live.tool('a').status, live.tool('a').output], [status, 'not run']);
    });
  }

  it('does not open a finished card again when its question is closed late', () => {
    const live = withCalls('a');
    live.apply(running('a'), approvalOf('a', 'q'), finished('a', 'x', { status: 'interrupted' }));
    assert.deepEqual(live.apply({ type: 'approval_resolved', id: 'q', answer: 'cancelled' }), []);
    assert.equal(live.tool('a').status, 'interrupted');
  });

  it('keeps questions of two calls apart', () => {
    const live = withCalls('a', 'b');
    live.apply(running('a'), running('b'), approvalOf('a', 'qa'), approvalOf('b', 'qb'));
    live.apply({ type: 'approval_resolved', id: 'qb', answer: 'once' });
    assert.deepEqual([live.tool('a').approval?.id, live.tool('b').approval], ['qa', undefined]);
    assert.deepEqual([live.tool('a').status, live.tool('b').status], ['waiting', 'running']);
  });

  it('A3: results in any order leave the cards in call order', () => {
    const live = withCalls('a', 'b', 'c');
    live.apply(
      running('a'),
      running('b'),
      finished('c', '3'),
      finished('b', '2', { status: 'error' }),
      finished('a', '1'),
    );
    assert.deepEqual(
      live.items.map((item) => item.kind === 'tool' && [item.id, item.status, item.output]),
      [
        ['a', 'ok', '1'],
        ['b', 'error', '2'],
        ['c', 'ok', '3'],
      ],
    );
  });

  it('A17: a long result is cut on a code point and marked', () => {
    const live = withCalls('a', 'b');
    live.apply(finished('a', `${'x'.repeat(7_999)}📁tail`), finished('b', 'y'.repeat(8_000)));
    assert.deepEqual([live.tool('a').output, live.tool('a').outputTruncated], ['x'.repeat(7_999), true]);
    assert.deepEqual([live.tool('b').output.length, live.tool('b').outputTruncated], [8_000, false]);
  });

  it('A17: live output is cut the same way, once, and nothing follows the cut', () => {
    const live = withCalls('a');
    live.apply(running('a'), progress('a', 'x'.repeat(7_998)), progress('a', 'é📁'));
    assert.deepEqual([live.tool('a').output, live.tool('a').outputTruncated], [`${'x'.repeat(7_998)}é`, true]);
    assert.deepEqual(live.apply(progress('a', 'more')), []);
    live.apply(finished('a', 'short'));
    assert.deepEqual([live.tool('a').output, live.tool('a').outputTruncated], ['short', false]);
  });

  it('does not mix late output into a result', () => {
    const live = withCalls('a');
    live.apply(running('a'), finished('a', 'the result'));
    assert.deepEqual(live.apply(progress('a', 'late')), []);
    assert.equal(live.tool('a').output, 'the result');
  });

  it('passes over what belongs to no card', () => {
    const live = new WatchedTranscript();
    live.apply(running('x'), progress('x', 'y'), finished('x', 'y'), approvalOf('x', 'q'));
    live.apply(
      { type: 'approval_resolved', id: 'q', answer: 'deny' },
      { type: 'approval_resolved', id: '?', answer: 'once' },
    );
    assert.deepEqual(live.items, []);
  });
});

describe('Transcript: the other items', () => {
  it('shows what the user typed and switched, not the notes that travel with it', () => {
    const message = user([
      { kind: 'mode_notice', mode: 'plan', text: 'notice' },
      { kind: 'skill_deactivation', name: 'old', body: '' },
      { kind: 'skill_activation', name: 'new', body: 'body' },
      { kind: 'note', subject: 'environment', text: 'note' },
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
    ]);
    const live = new WatchedTranscript();
    live.apply({ type: 'user_message', message });
    const skills = [
      { name: 'old', state: 'inactive' },
      { name: 'new', state: 'active' },
    ];
    assert.deepEqual(live.items, [{ kind: 'user', id: message.id, at: 0, text: 'one\n\ntwo', mode: 'plan', skills }]);
  });

  it('shows no empty bubble for a message that only carries notes', () => {
    const live = new WatchedTranscript();
    live.apply({ type: 'user_message', message: user([{ kind: 'note', subject: 'agents_md', text: 'changed' }]) });
    assert.deepEqual(live.items, []);
  });

  it('shows a compaction with its figures, and no other generation', () => {
    const receipt = {
      stage: 'normal',
      trigger: 'soft',
      tokensBefore: 90,
      tokensAfter: 9,
      summarizedMessages: 4,
      retainedMessages: 2,
      summaryModel: { provider: 'offline', model: 'm' },
    } as const;
    const live = new WatchedTranscript();
    live.apply({ type: 'generation', generation: generation({ id: 1, kind: 'start' }) });
    live.apply({
      type: 'generation',
      generation: generation({ id: 2, kind: 'summary', at: 5, summary: 'so far', receipt }),
    });
    assert.deepEqual(live.items, [
      {
        kind: 'compaction',
        id: 'generation_2',
        at: 5,
        generationId: 2,
        tokensBefore: 90,
        tokensAfter: 9,
        summary: 'so far',
      },
    ]);
  });

  it('says why a compaction that was asked for did not happen; a trigger of ours stays silent', () => {
    const live = new WatchedTranscript();
    const ended = (trigger: 'manual' | 'soft'): AgentEvent => ({
      type: 'compaction_finished',
      trigger,
      result: { applied: false, reason: 'it was stopped' },
    });
    live.apply(ended('soft'), ended('manual'));
    assert.deepEqual(
      live.items.map((item) => item.kind === 'notice' && item.message),
      ['The conversation was not compacted: it was stopped.'],
    );
  });

  it('numbers notices, so that two of the same text both stand', () => {
    const live = new WatchedTranscript();
    const notice: AgentEvent = { type: 'notice', severity: 'error', message: 'No.', advice: 'Wait.', action: 'retry' };
    live.apply(notice, notice);
    const shown = { kind: 'notice', at: NOW, severity: 'error', message: 'No.', advice: 'Wait.', action: 'retry' };
    assert.deepEqual(live.items, [
      { ...shown, id: 'notice_1' },
      { ...shown, id: 'notice_2' },
    ]);
  });
});

describe('Transcript: a session opened again', () => {
  it('a call that has no result was interrupted, and the result it gets later replaces that', () => {
    const transcript = newTranscript();
    transcript.load([user('go'), assistant([toolCall('a'), toolCall('b')]), result('b')]);
    const status = (id: string) => {
      const item = transcript.item(id);
      return item?.kind === 'tool' ? item.status : undefined;
    };
    assert.deepEqual([status('a'), status('b')], ['interrupted', 'ok']);
    transcript.apply(finished('a', 'was cut off', { status: 'interrupted' }));
    const card = transcript.item('a');
    assert.equal(card?.kind === 'tool' && card.output, 'was cut off');
  });

  it('shows messages from before and after a compaction in the order in which they were recorded', () => {
    const summary = generation({ id: 2, kind: 'summary', summary: 's' });
    const items = reloaded([generation(), user('one'), says('two'), summary, user('three')]);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['user', 'assistant', 'compaction', 'user'],
    );
  });
});

describe('Transcript: cost', () => {
  it('of a delta, a result and an answered question does not grow with the number of items', () => {
    const transcript = newTranscript();
    const count = 100_000;
    transcript.load(Array.from({ length: count }, (_, index) => assistant([toolCall(`old ${index}`)])));
    const calls = Array.from({ length: 3_000 }, (_, index) => toolCall(`new ${index}`));
    transcript.apply({ type: 'assistant_message', message: assistant(calls) });
    transcript.apply(started('m'));
    const begin = performance.now();
    for (const { callId } of calls) {
      transcript.apply(delta('m', 0, 'word '));
      transcript.apply(approvalOf(callId));
      transcript.apply({ type: 'approval_resolved', id: `approval of ${callId}`, answer: 'once' });
      transcript.apply(finished(callId));
    }
    // One pass over the items for each call takes seconds; this takes milliseconds.
    assert.ok(performance.now() - begin < 500);
    assert.equal(transcript.items.length, count + calls.length + 1);
  });
});

describe('Transcript: notices', () => {
  it('an offer to try again ends when a turn begins; what happened stays on the screen', () => {
    const transcript = new Transcript({ titleOf: () => '', now: () => 0 });
    transcript.apply({ type: 'notice', severity: 'error', message: 'The server is busy.', action: 'retry' });
    transcript.apply({ type: 'notice', severity: 'error', message: 'No key.', action: 'set_api_key' });
    const operations = transcript.apply({ type: 'turn_started', turn: 2 });
    assert.equal(operations.length, 1);
    const shown = transcript.items.map((item) => item.kind === 'notice' && [item.message, item.action]);
    assert.deepEqual(shown, [
      ['The server is busy.', undefined],
      ['No key.', 'set_api_key'],
    ]);
  });
});

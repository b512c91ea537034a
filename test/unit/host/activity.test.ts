import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentEvent } from '../../../src/core/agent/events.ts';
import { ActivityTracker } from '../../../src/host/chat/activity.ts';
import { activity } from '../../../src/protocol.ts';
import { assistant, result } from '../conversation/support.ts';
import { approvalOf, delta, started, toolCall } from './support.ts';

const turn: AgentEvent = { type: 'busy', what: 'turn' };
const idle: AgentEvent = { type: 'idle' };
const answered: AgentEvent = { type: 'assistant_message', message: assistant([]) };
const retry: AgentEvent = { type: 'retry_waiting', attempt: 2, maxAttempts: 5, untilMs: 9_000, reason: 'overloaded' };
const resumed: AgentEvent = { type: 'retry_resumed' };
const compacting: AgentEvent = { type: 'compaction_started', trigger: 'soft' };
const compacted: AgentEvent = {
  type: 'compaction_finished',
  trigger: 'soft',
  result: { applied: false, reason: 'nothing to gain' },
};
const running = (callId: string): AgentEvent => ({
  type: 'tool_started',
  call: toolCall(callId, 'bash'),
  title: callId,
});
const finished = (callId: string): AgentEvent => ({ type: 'tool_finished', message: result(callId) });
const asked = (id: string) => approvalOf('a', id);
const resolved = (id: string): AgentEvent => ({ type: 'approval_resolved', id, answer: 'once' });

/** What is shown after each event: the label of `working`, else the kind. */
function shown(...events: AgentEvent[]): string[] {
  const tracker = new ActivityTracker();
  return events.map((event) => {
    tracker.apply(event);
    const { current } = tracker;
    assert.deepEqual(activity.parse(current), current);
    return current.kind === 'working' ? current.label : current.kind;
  });
}

describe('ActivityTracker', () => {
  it('is idle at first', () => {
    assert.deepEqual(new ActivityTracker().current, { kind: 'idle' });
  });

  it('tells thinking from writing within an answer', () => {
    assert.deepEqual(
      shown(turn, started('m'), delta('m', 0, 'x', 'thinking'), delta('m', 1, 'x'), delta('m', 2, 'x', 'thinking')),
      ['Thinking', 'Thinking', 'Thinking', 'Writing', 'Thinking'],
    );
    assert.deepEqual(shown(turn, delta('m', 0, 'x'), answered), ['Thinking', 'Writing', 'Thinking']);
    assert.deepEqual(shown(turn, delta('m', 0, 'x'), started('n')), ['Thinking', 'Writing', 'Thinking']);
    const discarded: AgentEvent = { type: 'assistant_discarded', messageId: 'm' };
    assert.deepEqual(shown(turn, delta('m', 0, 'x'), discarded), ['Thinking', 'Writing', 'Thinking']);
  });

  it('names the tool that has run longest', () => {
    assert.deepEqual(shown(turn, running('a'), running('b'), finished('a'), finished('b')), [
      'Thinking',
      'Running bash: a',
      'Running bash: a',
      'Running bash: b',
      'Thinking',
    ]);
  });

  it('shows an open question over running tools until the last one is answered', () => {
    const wait = 'waiting_for_approval';
    assert.deepEqual(shown(turn, running('a'), asked('p'), asked('q'), resolved('p'), resolved('q')), [
      'Thinking',
      'Running bash: a',
      wait,
      wait,
      wait,
      'Running bash: a',
    ]);
  });

  it('shows a compaction within a turn and one on its own', () => {
    assert.deepEqual(shown(turn, compacting, compacted), ['Thinking', 'compacting', 'Thinking']);
    assert.deepEqual(shown({ type: 'busy', what: 'compaction' }, compacting, compacted, idle), [
      'compacting',
      'compacting',
      'compacting',
      'idle',
    ]);
  });

  it('shows a wait for the server over everything else, with what a countdown needs', () => {
    assert.deepEqual(shown(turn, running('a'), asked('q'), compacting, retry, resumed, compacted).slice(-3), [
      'waiting_to_retry',
      'waiting_for_approval',
      'waiting_for_approval',
    ]);
    const tracker = new ActivityTracker();
    for (const event of [turn, retry]) tracker.apply(event);
    assert.deepEqual(tracker.current, {
      kind: 'waiting_to_retry',
      attempt: 2,
      maxAttempts: 5,
      untilMs: 9_000,
      reason: 'overloaded',
    });
  });

  it('does not wait for a call that was stopped during the wait', () => {
    assert.deepEqual(shown(turn, retry, answered), ['Thinking', 'waiting_to_retry', 'Thinking']);
    assert.deepEqual(shown(turn, compacting, retry, compacted).slice(2), ['waiting_to_retry', 'Thinking']);
  });

  it('is idle after whatever happened, starts afresh, and reports every change', () => {
    const event = fc.constantFrom(
      turn,
      { type: 'busy', what: 'compaction' } as const,
      started('m'),
      delta('m', 0, 'x'),
      delta('m', 0, 'x', 'thinking'),
      { type: 'assistant_discarded', messageId: 'm' } as const,
      answered,
      retry,
      resumed,
      compacting,
      compacted,
      running('a'),
      running('b'),
      finished('a'),
      asked('p'),
      resolved('p'),
      { type: 'turn_started', turn: 1 } as const,
      { type: 'queued', texts: [] } as const,
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const tracker = new ActivityTracker();
        for (const each of events) {
          const before = tracker.current;
          const changed = tracker.apply(each as AgentEvent);
          if (!changed) assert.deepEqual(tracker.current, before, each.type);
        }
        tracker.apply(idle);
        assert.deepEqual(tracker.current, { kind: 'idle' });
        tracker.apply(turn);
        assert.deepEqual(tracker.current, { kind: 'working', label: 'Thinking' });
      }),
    );
  });
});

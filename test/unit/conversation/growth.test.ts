import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Generation, GenerationView } from '../../../src/core/conversation/generation.ts';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { Message } from '../../../src/core/conversation/message.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { interruptedResults, unansweredCalls } from '../../../src/core/conversation/repair.ts';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { messageHash } from '../../../src/core/report/messageHash.ts';
import { requestSnapshot } from '../../../src/core/report/requestSnapshot.ts';
import { estimateRequest, requestTokens } from '../../../src/core/tokens/estimate.ts';
import { play, steps } from './arbitrary.ts';
import { referenceLostThinking, referenceMessages, referenceRounds } from './reference.ts';
import { generation, head, user } from './support.ts';

const model = head.model;
const options = { maxOutputTokens: 1_000, thinkingBudget: 2_000, cacheKey: 'session' };

/** Reports each change, so that requests can be made between any two of them. */
class WatchedLineage extends Lineage {
  onChange: () => void = () => undefined;

  override append(message: Message): void {
    super.append(message);
    this.onChange();
  }

  override addGeneration(next: Generation): void {
    super.addGeneration(next);
    this.onChange();
  }
}

function assertSameAsFromScratch(view: GenerationView): ModelRequest {
  const request = projectRequest(view, options);
  const messages = referenceMessages(view);
  assert.equal(JSON.stringify(request.messages), JSON.stringify(messages));
  const lost = referenceLostThinking(view);
  assert.deepEqual([request.thinkingLost, request.thinkingBudget], lost ? [true, undefined] : [undefined, 2_000]);

  const scratch: ModelRequest = { ...request, messages };
  assert.equal(requestTokens(request, model), estimateRequest(scratch, model).rawTokens);
  const [snapshot, plain] = [requestSnapshot(request, model, 'main'), requestSnapshot(scratch, model, 'main')];
  assert.equal(JSON.stringify(snapshot), JSON.stringify(plain));
  assert.deepEqual(snapshot.messageHashes, messages.map(messageHash));

  const open = referenceRounds(view)
    .at(-1)
    ?.calls.flatMap(({ call, result }) => (result ? [] : [call]));
  assert.deepEqual(unansweredCalls(view), open);
  assert.deepEqual(
    interruptedResults(view, { ids: () => 'new', now: 0 }).map(({ callId }) => callId),
    open?.map(({ callId }) => callId),
  );
  return request;
}

describe('a growing conversation', () => {
  it('property: projection, estimate, hashes, sizes and repair equal those from scratch, byte for byte', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), (conversation, asked) => {
        const lineage = new WatchedLineage();
        lineage.addGeneration(generation());
        const earlier: { view: GenerationView; request: ModelRequest; text: string }[] = [];
        let changes = 0;
        lineage.onChange = () => {
          changes += 1;
          if (!asked[changes % asked.length]) return;
          const view = lineage.view();
          const request = assertSameAsFromScratch(view);
          earlier.push({ view, request, text: JSON.stringify(request) });
        };
        for (const [turn, step] of conversation.entries()) play(step, lineage, turn + 1);
        assertSameAsFromScratch(lineage.view());
        for (const { view, request, text } of earlier) {
          assert.equal(JSON.stringify(request), text, 'a request that was made is not changed by what follows');
          assert.equal(
            JSON.stringify(projectRequest(view, options)),
            text,
            'an older view still gives its own request',
          );
        }
        assert.equal(
          JSON.stringify(projectRequest(reloaded(lineage).view(), options)),
          JSON.stringify(projectRequest(lineage.view(), options)),
          'a reload sends the same bytes',
        );
      }),
      { numRuns: 1_500 },
    );
  });

  it('requests share the messages that can no longer change', () => {
    const lineage = new Lineage();
    lineage.addGeneration(generation());
    for (let index = 0; index < 10; index++) {
      lineage.append(user(`question ${index}`));
      lineage.append({ ...answerTo(index), id: `answer_${index}` });
    }
    const before = projectRequest(lineage.view(), options).messages;
    lineage.append(user('one more'));
    const after = projectRequest(lineage.view(), options).messages;
    assert.equal(after.length, before.length + 1);
    // The last answer and what follows it are the open round.
    for (const [index, message] of before.slice(0, -1).entries()) assert.equal(after[index], message);
  });

  it('a view that is asked for twice is the same one until something is appended', () => {
    const lineage = new Lineage();
    lineage.addGeneration(generation());
    lineage.append(user('one'));
    const view = lineage.view();
    assert.equal(lineage.view(), view);
    lineage.append(user('two'));
    assert.notEqual(lineage.view(), view);
    assert.equal(view.appended.length, 1);
  });

  it('nobody who hears of a message or a generation can change what is stored', () => {
    const lineage = new Lineage();
    const first = generation({ carried: [{ kind: 'ledger', text: 'ledger' }] });
    lineage.addGeneration(first);
    const message = user('words');
    lineage.append(message);
    const { generation: active, appended } = lineage.view();
    assert.throws(() => Object.assign(message.parts[0] ?? {}, { text: 'changed' }), TypeError);
    assert.throws(() => message.parts.pop(), TypeError);
    assert.throws(() => Object.assign(active.carried[0] ?? {}, { text: 'changed' }), TypeError);
    assert.throws(() => Object.assign(appended, { length: 0 }), TypeError);
    const [sent] = projectRequest(lineage.view(), options).messages;
    assert.throws(() => sent?.content.pop(), TypeError);
    assert.throws(() => Object.assign(sent?.content[0] ?? {}, { text: 'changed' }), TypeError);
  });
});

function answerTo(index: number): Extract<Message, { role: 'assistant' }> {
  const blocks = [{ type: 'text' as const, text: `answer ${index}` }];
  return { id: '', role: 'assistant', at: 0, turn: index, model, blocks, stopReason: 'end_turn' };
}

/** The same conversation from copies of its records, as a restart reads them. */
function reloaded(lineage: Lineage): Lineage {
  const again = new Lineage();
  for (const { id } of lineage.generations) {
    const { generation: stored, appended } = structuredClone(lineage.view(id));
    again.addGeneration(stored);
    for (const message of appended) again.append(message);
  }
  return again;
}

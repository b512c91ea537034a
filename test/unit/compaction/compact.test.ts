import assert from 'node:assert/strict';
import { compact } from '../../../src/core/compaction/compact.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import {
  assistant,
  brokenRule,
  call,
  generation,
  head,
  lineageOf,
  placedBlocks,
  result,
  says,
  user,
} from '../conversation/support.ts';
import { adopt, applied, estimate, finishedTurn, inputFor, reasonOf, step, words } from './support.ts';

const options = { maxOutputTokens: 8_192, cacheKey: 'session' };

describe('compact: the normal stage', () => {
  const conversation = [
    ...finishedTurn(1, 'First request.', 10, 2_000),
    ...finishedTurn(2, 'Second request.', 3, 1_000),
  ];

  it('summarises what is old, keeps the latest turn, and adopts nothing itself', async () => {
    const lineage = lineageOf(conversation);
    const before = structuredClone(lineage.view());
    const { input, requests } = inputFor(lineage.view());
    const outcome = applied(await compact(input));

    assert.equal(requests.length, 1);
    assert.equal(outcome.stageCount, 1);
    const [made] = outcome.generations;
    assert.deepEqual(
      made?.retained,
      conversation.slice(-8).map(({ id }) => id),
    );
    assert.deepEqual([made?.id, made?.kind, made?.parent, made?.head], [2, 'summary', 1, head]);
    assert.equal(made?.summary, 'The summary.');
    assert.deepEqual(lineage.view(), before);

    const next = projectRequest(adopt(lineage, outcome.generations), options);
    assert.deepEqual(made?.receipt, {
      stage: 'normal',
      trigger: 'soft',
      tokensBefore: estimate(projectRequest(before, options)),
      tokensAfter: estimate(next),
      summarizedMessages: conversation.length - 8,
      retainedMessages: 8,
      summaryModel: head.model,
    });
    assert.ok(estimate(next) < input.softThreshold);
    assert.equal(brokenRule(next.messages), undefined);
  });

  it('asks with the same system, tools and messages as before, cut at the source, and one instruction', async () => {
    const lineage = lineageOf(conversation, generation({ summary: 'Earlier summary.' }));
    const { input, requests } = inputFor(lineage.view(), { focus: ' the parser ' });
    await compact(input);
    const main = projectRequest(lineage.view(), options);
    const [asked] = requests;
    assert.deepEqual([asked?.system, asked?.tools, asked?.model], [main.system, main.tools, main.model]);
    assert.equal(asked?.maxOutputTokens, 6_144);
    const blocks = placedBlocks(asked?.messages ?? []);
    const instruction = blocks.at(-1);
    assert.deepEqual(blocks.slice(0, -1), placedBlocks(main.messages).slice(0, blocks.length - 1));
    assert.ok(instruction?.type === 'text' && instruction.role === 'user');
    for (const section of [1, 2, 3, 4, 5, 6, 7, 8]) assert.match(instruction.text, new RegExp(`^${section}\\. `, 'm'));
    assert.match(instruction.text, /language in which the user writes/);
    assert.match(instruction.text, /special attention[^\n]*\nthe parser$/);
    assert.equal(brokenRule(asked?.messages ?? []), undefined);
  });

  it('the receipt names the model that wrote the summary', async () => {
    const summaryModel = { provider: 'openai' as const, model: 'gpt-6' };
    const outcome = applied(await compact(inputFor(lineageOf(conversation).view(), { summaryModel }).input));
    assert.deepEqual(outcome.generations[0]?.receipt?.summaryModel, summaryModel);
  });

  it('says nothing of a focus when the user named none', async () => {
    const { input, requests } = inputFor(lineageOf(conversation).view());
    await compact(input);
    assert.doesNotMatch(JSON.stringify(requests), /special attention/);
  });

  it('sends no thinking of the turns that it carries over', async () => {
    const thinking = { type: 'thinking' as const, thinking: 'Hm.', signature: 's' };
    const lineage = lineageOf([
      ...finishedTurn(1, 'First request.', 10, 2_000),
      user('Second.', 2),
      assistant([thinking, call('a')], { turn: 2 }),
      result('a', 'x', { turn: 2 }),
    ]);
    const outcome = applied(await compact(inputFor(lineage.view()).input));
    const next = projectRequest(adopt(lineage, outcome.generations), options);
    assert.doesNotMatch(JSON.stringify(next.messages), /Hm\./);
  });
});

describe('compact: from the normal to the emergency stage', () => {
  it('goes on with the emergency stage on the new state when that is still over the threshold', async () => {
    const first = finishedTurn(1, 'First request.', 2, 2_500);
    const lineage = lineageOf([
      ...first,
      user('Second request.', 2),
      ...step('a', 9_000, 2),
      ...step('b', 9_000, 2),
      ...step('c', 9_000, 2),
    ]);
    const budget = { contextWindow: 40_000, maxOutputTokens: 8_192 };
    const { input, requests } = inputFor(lineage.view(), { budget, softThreshold: 20_000 }, [
      'Summary one.',
      'Summary two.',
    ]);
    const outcome = applied(await compact(input));
    assert.equal(outcome.stageCount, 2);
    const [one, two] = outcome.generations;
    assert.deepEqual([one?.id, one?.parent, one?.summary, one?.receipt?.stage], [2, 1, 'Summary one.', 'normal']);
    assert.deepEqual([two?.id, two?.parent, two?.summary, two?.receipt?.stage], [3, 2, 'Summary two.', 'emergency']);
    assert.equal(two?.receipt?.tokensBefore, one?.receipt?.tokensAfter);
    assert.match(JSON.stringify(requests[1]?.system), /Summary one\./);
    assert.deepEqual(
      requests.map(({ maxOutputTokens }) => maxOutputTokens),
      [6_144, 3_072],
    );
    assert.match(JSON.stringify(requests[1]?.messages.at(-1)), /almost full/);
    assert.deepEqual(
      outcome.archives.map(({ generationId }) => generationId),
      [2, 3],
    );
    assert.match(outcome.archives[0]?.markdown ?? '', /First request\./);
    assert.match(outcome.archives[1]?.markdown ?? '', /Summary one\./);
    const next = projectRequest(adopt(lineage, outcome.generations), options);
    assert.ok(estimate(next) < 20_000);
    assert.match(JSON.stringify(next.messages), /Second request\./);
  });

  it('runs the emergency stage on the original when the normal tail does not fit', async () => {
    const lineage = lineageOf([
      ...finishedTurn(1, 'First request.', 2, 500),
      user('Second request.', 2),
      ...step('a', 12_000, 2),
      ...step('b', 12_000, 2),
      ...step('c', 12_000, 2),
    ]);
    const { input, requests } = inputFor(lineage.view(), { trigger: 'hard' });
    const outcome = applied(await compact(input));
    assert.equal(outcome.stageCount, 1);
    assert.deepEqual([outcome.generations[0]?.id, outcome.generations[0]?.receipt?.stage], [2, 'emergency']);
    for (const request of requests) assert.ok(estimate(request) + 3_072 + 327 <= 32_768);
  });

  it('a summary request that cannot fit main is not sent, and the emergency stage runs', async () => {
    const window = 16_384;
    // System and instruction leave room for the emergency summary (3,072 tokens), but not for the normal one (6,144).
    const system = [{ source: 'preamble', text: words(window - 6_144) }];
    const lineage = lineageOf(
      [...finishedTurn(1, 'First request.', 2, 700), ...finishedTurn(2, 'Second request.', 1, 50)],
      generation({ head: { ...head, system } }),
    );
    const { input, requests } = inputFor(lineage.view(), {
      trigger: 'manual',
      budget: { contextWindow: window, maxOutputTokens: 8_192 },
    });
    const seen: number[] = [];
    const outcome = await compact({
      ...input,
      summarize: (request, signal) => {
        seen.push(request.maxOutputTokens);
        assert.ok(estimate(request) + request.maxOutputTokens + 256 <= window, 'the request and its answer fit');
        return input.summarize(request, signal);
      },
    });
    assert.deepEqual(seen, [3_072], 'the normal stage sent nothing');
    assert.equal(requests.length, 1);
    assert.deepEqual([applied(outcome).stageCount, applied(outcome).generations[0]?.receipt?.stage], [1, 'emergency']);
  });

  it('an empty summary is asked for once more, with a word about it, then the next stage follows', async () => {
    const lineage = lineageOf([...finishedTurn(1, 'First request.', 10, 2_000), ...finishedTurn(2, 'Second.', 1, 100)]);
    const { input, requests } = inputFor(lineage.view(), {}, ['', ' \n', 'At last.']);
    const outcome = applied(await compact(input));
    assert.equal(outcome.generations[0]?.receipt?.stage, 'emergency');
    const said = requests.map(({ messages }) => /held no text/.test(JSON.stringify(messages)));
    assert.deepEqual(said, [false, true, false]);
  });

  it('changes nothing when the model never writes a summary', async () => {
    const lineage = lineageOf(finishedTurn(1, 'First request.', 10, 2_000));
    const { input, requests } = inputFor(lineage.view(), {}, ['']);
    assert.equal(reasonOf(await compact(input)), 'the model gave no summary');
    assert.equal(requests.length, 4);
  });
});

describe('compact: when it is not applied', () => {
  it('refuses a summary that saves less than a tenth and less than 2,000 tokens (invariant 5)', async () => {
    const lineage = lineageOf([...finishedTurn(1, 'Hi.', 1, 10), ...finishedTurn(2, 'And?', 1, 10)]);
    const { input } = inputFor(lineage.view(), { trigger: 'manual' }, [words(500)]);
    assert.match(reasonOf(await compact(input)), /^it would save none of the \d+ tokens$/);
  });

  it('has nothing to do in a conversation of one step', async () => {
    const { input, requests } = inputFor(lineageOf([user('Hi.')]).view(), { trigger: 'manual' });
    assert.equal(reasonOf(await compact(input)), 'there is nothing old enough to summarize');
    assert.equal(requests.length, 0);
  });

  it('A7: spends no call when the fixed part and the latest step are over the threshold, and names the figures', async () => {
    const fixed = generation({ head: { ...head, system: [{ source: 'project_agents_md', text: words(23_000) }] } });
    const lineage = lineageOf([...finishedTurn(1, 'a', 1, 10), ...finishedTurn(2, 'b', 1, 10), user('c', 3)], fixed);
    const { input, requests } = inputFor(lineage.view());
    assert.match(reasonOf(await compact(input)), /take 23,\d{3} tokens, and compaction starts at 22,937$/);
    assert.equal(requests.length, 0);
  });

  it('says so when not even the latest step fits the window', async () => {
    const lineage = lineageOf([...finishedTurn(1, 'a', 2, 10), user('b', 2), ...step('x', 40_000, 2)]);
    const { input, requests } = inputFor(lineage.view(), { trigger: 'hard' });
    assert.match(reasonOf(await compact(input)), /do not fit the context window of 32,768$/);
    assert.equal(requests.length, 0);
  });

  it('a soft compaction whose emergency stage stays over the threshold is not adopted', async () => {
    const lineage = lineageOf([...finishedTurn(1, 'a', 8, 3_000), user('b', 2), ...step('x', 18_000, 2)]);
    const { input } = inputFor(lineage.view(), { budget: { contextWindow: 60_000, maxOutputTokens: 8_192 } }, [
      words(6_000),
    ]);
    assert.match(reasonOf(await compact(input)), /^it would leave 2\d,\d{3} tokens, and compaction starts at 22,937$/);
    const hard = inputFor(lineage.view(), { ...input, trigger: 'hard' }, [words(6_000)]);
    applied(await compact({ ...input, trigger: 'hard', summarize: hard.input.summarize }));
  });

  it('passes a failed summary call on, and a stop', async () => {
    const view = lineageOf(finishedTurn(1, 'a', 10, 2_000)).view();
    const failing = inputFor(view, { summarize: () => Promise.reject(new Error('overloaded')) });
    await assert.rejects(compact(failing.input), /overloaded/);

    const stop = new AbortController();
    const stopped = inputFor(view, {
      signal: stop.signal,
      summarize: () => {
        stop.abort(new Error('stopped'));
        return Promise.resolve('Too late.');
      },
    });
    await assert.rejects(compact(stopped.input), /stopped/);
    await assert.rejects(compact(stopped.input), /stopped/);
  });
});

describe('compact: a source that does not fit', () => {
  it('A8: is summarised in pieces, each with the summary so far, and no request exceeds the window', async () => {
    const budget = { contextWindow: 16_384, maxOutputTokens: 4_096 };
    const lineage = lineageOf(
      [...finishedTurn(1, 'First request.', 21, 2_000), ...finishedTurn(2, 'Second.', 1, 100)],
      generation({ carried: [{ kind: 'earlier_messages', text: 'Carried words.' }] }),
    );
    const { input, requests } = inputFor(lineage.view(), { trigger: 'manual', budget, softThreshold: 11_468 }, [
      'Part one.',
      'Part two.',
      'Part three.',
      'Part four.',
      'All parts.',
    ]);
    const outcome = applied(await compact(input));
    assert.ok(requests.length >= 4);
    for (const [index, request] of requests.entries()) {
      assert.ok(estimate(request) + 4_096 + 256 <= 16_384, `request ${index}`);
      assert.equal(brokenRule(request.messages), undefined);
      if (index > 0) assert.match(JSON.stringify(request.system), /Part (one|two|three|four)\./);
    }
    const asked = JSON.stringify(requests.map(({ messages }) => messages));
    assert.equal(asked.split('Carried words.').length - 1, 1, 'only the first piece repeats what was carried');
    for (let index = 0; index < 21; index++) {
      assert.equal(asked.split(`"path":"t1s${index}.ts"`).length - 1, 1, `step ${index} is in one piece`);
    }
    const next = projectRequest(adopt(lineage, outcome.generations), options);
    assert.ok(estimate(next) < 11_468);
    assert.match(outcome.archives[0]?.markdown ?? '', /First request\./);
  });

  it('A8: a single step that is too large for the request is cut for it; what is stored stays whole', async () => {
    const huge = `head ${words(30_000)} tail`;
    const lineage = lineageOf([
      user('First request.', 1),
      assistant([call('big')]),
      result('big', huge),
      says('Read it.', 1),
      ...finishedTurn(2, 'Second.', 2, 100),
    ]);
    const { input, requests } = inputFor(lineage.view(), { trigger: 'manual' });
    applied(await compact(input));
    const sent = JSON.stringify(requests[0]?.messages);
    assert.match(sent, /head word .*characters left out here.* tail/);
    for (const request of requests) assert.ok(estimate(request) + 6_144 + 327 <= 32_768);
    assert.ok(JSON.stringify(lineage.messages).includes(huge));
  });
});

import assert from 'node:assert/strict';
import { standingParts } from '../../../src/core/compaction/carried.ts';
import { compact } from '../../../src/core/compaction/compact.ts';
import type { UserPart } from '../../../src/core/conversation/message.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { renderEnvelope } from '../../../src/core/conversation/skillEnvelope.ts';
import { effectiveSkills } from '../../../src/core/skills/delivery.ts';
import {
  assistant,
  brokenRule,
  call,
  generation,
  lineageOf,
  placedBlocks,
  result,
  says,
  user,
  userTexts,
} from '../conversation/support.ts';
import { adopt, applied, CARRIES, finishedTurn, inputFor, step, words } from './support.ts';

const options = { maxOutputTokens: 8_192, cacheKey: 'session' };
const text = (value: string): UserPart => ({ kind: 'text', text: value });
const skill = (name: string, on = true): UserPart =>
  on ? { kind: 'skill_activation', name, body: `${name} body` } : { kind: 'skill_deactivation', name, body: 'off' };

describe('what a compaction carries over', () => {
  it('A9: in the middle of a tool loop the open request stays, the finished ones are quoted and marked', async () => {
    const rule = 'Responda apenas em português. Renomeie a função parse.';
    const open = user('Adicione um teste para parse().', 3);
    const lineage = lineageOf([
      user(rule, 1),
      ...step('t1', 3_000, 1),
      says('Renomeada.', 1),
      user('Apague o branch tmp-1.', 2),
      ...step('t2', 3_000, 2),
      says('Apagado.', 2),
      open,
      ...step('c1', 6_000, 3),
      ...step('c2', 6_000, 3),
      ...step('c3', 6_000, 3),
    ]);
    for (const [trigger, carry] of CARRIES.flatMap((each) => [['soft', each] as const, ['hard', each] as const])) {
      const { input, requests } = inputFor(lineage.view(), { trigger, carry });
      const outcome = applied(await compact(input));
      const last = outcome.generations.at(-1);
      assert.ok(last?.retained.includes(open.id));
      const copy = lineageOf(lineage.messages);
      const next = projectRequest(adopt(copy, outcome.generations), options);
      assert.equal(brokenRule(next.messages), undefined);

      const texts = userTexts(next.messages);
      const [quotes] = texts.filter((each) => each.includes('<earlier-message'));
      assert.match(quotes ?? '', new RegExp(`turn="1" status="done">\\n${rule}\\n</earlier-message>`));
      assert.match(quotes ?? '', /turn="2" status="done">\nApague o branch tmp-1\.\n<\/earlier-message>/);
      assert.equal(texts.filter((each) => each === 'Adicione um teste para parse().').length, 1);
      assert.equal(texts.at(-1), 'Adicione um teste para parse().', 'nobody asks anything after the open request');
      assert.match(JSON.stringify(next.messages.at(-1)), /"type":"tool_result","callId":"c3"/);
      assert.match(JSON.stringify(requests[0]), /language in which the user writes/);
    }
  });

  it('quotes the user’s words of all generations, and a stopped turn is not called done', async () => {
    const lineage = lineageOf([
      ...finishedTurn(1, 'Request one.', 10, 2_000),
      user('Request two.', 2),
      assistant([{ type: 'text', text: 'I beg' }], { turn: 2, incomplete: true, stopReason: 'stopped' }),
      ...finishedTurn(3, 'Request three.', 3, 10),
    ]);
    const first = applied(await compact(inputFor(lineage.view(), { former: lineage.former() }).input));
    adopt(lineage, first.generations);
    for (const message of [
      ...finishedTurn(4, 'Request four.', 10, 2_000),
      ...finishedTurn(5, 'Request five.', 3, 10),
    ]) {
      lineage.append(message);
    }
    const second = applied(await compact(inputFor(lineage.view(), { former: lineage.former() }).input));
    const texts = userTexts(projectRequest(adopt(lineage, second.generations), options).messages);
    const quotes = texts.filter((each) => each.includes('<earlier-message'));
    assert.equal(quotes.length, 1);
    const found = [...(quotes[0] ?? '').matchAll(/turn="(\d)" status="([a-z ]+)">\n(.+)\n/g)].map((each) =>
      each.slice(1),
    );
    assert.deepEqual(found, [
      ['1', 'done', 'Request one.'],
      ['2', 'not finished', 'Request two.'],
      ['3', 'done', 'Request three.'],
      ['4', 'done', 'Request four.'],
    ]);
  });

  it('calls a turn done whose last answer stays although its question is dropped', async () => {
    const lineage = lineageOf([...finishedTurn(1, 'One.', 10, 2_000), ...finishedTurn(2, 'Two.', 1, 10)]);
    const outcome = applied(await compact(inputFor(lineage.view()).input));
    const next = userTexts(projectRequest(adopt(lineage, outcome.generations), options).messages);
    assert.match(next.join(), /status="done">\nOne\./);
    assert.equal(lineage.view().retained[0]?.role, 'assistant', 'the answer to turn 1');
  });

  it('prefers newer words when the cap is reached, and names the ids of what is left out', async () => {
    const long = user(`Long. ${words(5_000)}`, 2);
    const lineage = lineageOf([
      ...finishedTurn(1, 'Answer in Portuguese.', 2, 100),
      long,
      ...step('x', 20_000, 2),
      says('Done.', 2),
      ...finishedTurn(3, 'Newest.', 3, 100),
    ]);
    const outcome = applied(await compact(inputFor(lineage.view()).input));
    const part = outcome.generations[0]?.carried.find(({ kind }) => kind === 'earlier_messages');
    assert.ok(part?.kind === 'earlier_messages');
    assert.match(part.text, /Answer in Portuguese\./);
    assert.doesNotMatch(part.text, /Long\./);
    assert.ok(part.text.includes(`under these ids: ${long.id}.`));
    assert.match(outcome.archives[0]?.markdown ?? '', new RegExp(`\\(${long.id}\\)\n\nLong\\.`));
  });

  it('replays active skills once, from the whole generation, and leaves out what was switched off', async () => {
    const lineage = lineageOf([
      user([skill('review'), skill('plan'), text('Request one.')], 1),
      ...Array.from({ length: 10 }, (_, index) => step(`s${index}`, 2_000, 1)).flat(),
      says('Done.', 1),
      user([skill('plan', false), skill('late'), text('Request two.')], 2),
      ...step('z', 100, 2),
    ]);
    const outcome = applied(await compact(inputFor(lineage.view()).input));
    const carried = outcome.generations[0]?.carried ?? [];
    assert.deepEqual(
      effectiveSkills(carried).map(({ name }) => name),
      ['review', 'late'],
    );
    const view = adopt(lineage, outcome.generations);
    const sent = userTexts(projectRequest(view, options).messages).filter((each) => each.startsWith('<steiner-skill'));
    assert.deepEqual(
      sent,
      ['review', 'late'].map((name) => renderEnvelope({ name, state: 'active', body: `${name} body` })),
    );
    // A second compaction folds what the first one carried, not the stripped parts of retained messages.
    lineage.append(user([skill('late', false), text('Request three.')], 3));
    for (const message of Array.from({ length: 11 }, (_, index) => step(`y${index}`, 2_000, 3)).flat())
      lineage.append(message);
    lineage.append(user([text('Request four.')], 4));
    const again = applied(await compact(inputFor(lineage.view()).input));
    assert.deepEqual(
      effectiveSkills(again.generations.at(-1)?.carried ?? []).map(({ name }) => name),
      ['review'],
    );
  });

  it('a skill that was switched off does not come back with the retained message that once switched it on', () => {
    const retained = [user([skill('late'), text('Request.')], 1)];
    const view = { generation: generation({ id: 2, carried: [skill('review')] }), retained, appended: [] };
    assert.deepEqual(standingParts(view, retained), [skill('review')]);
  });

  it('keeps the last note about each source, the mode and the pending sub-agents', async () => {
    const note = (key: string, value: string): UserPart => ({
      kind: 'note',
      subject: 'agents_md',
      text: value,
      announces: { [key]: value },
    });
    const lineage = lineageOf([
      user(
        [
          { kind: 'mode_notice', mode: 'plan', text: 'Plan mode.' },
          note('a', 'old a'),
          note('b', 'new b'),
          text('One.'),
        ],
        1,
      ),
      ...Array.from({ length: 10 }, (_, index) => step(`s${index}`, 2_000, 1)).flat(),
      user([note('a', 'new a'), text('Two.')], 1),
      ...step('t', 2_000, 1),
      ...step('u', 2_000, 1),
      says('Done.', 1),
      user([note('c', 'stays'), text('Three.')], 2),
      ...step('z', 100, 2),
    ]);
    const { input } = inputFor(lineage.view(), { pendingSubAgentsLine: 'Pending: agent 7.' });
    const carried = applied(await compact(input)).generations[0]?.carried ?? [];
    const texts = carried.flatMap((part) => ('text' in part && part.kind !== 'earlier_messages' ? [part.text] : []));
    assert.deepEqual(texts, ['new b', 'new a', 'Plan mode.', 'Pending: agent 7.']);
  });

  it('names history.md in the summary, once, however often it is compacted', async () => {
    const historyPath = '/home/u/sessions/1/history.md';
    const lineage = lineageOf([...finishedTurn(1, 'One.', 10, 2_000), ...finishedTurn(2, 'Two.', 3, 100)]);
    const first = applied(await compact(inputFor(lineage.view(), { historyPath }).input));
    const note = first.generations[0]?.summary?.split('\n').at(-1) ?? '';
    assert.match(
      first.generations[0]?.summary ?? '',
      /^The summary\.\n\n\[History\] .*\/home\/u\/sessions\/1\/history\.md/,
    );
    adopt(lineage, first.generations);
    for (const message of [...finishedTurn(3, 'Three.', 10, 2_000), ...finishedTurn(4, 'Four.', 3, 100)])
      lineage.append(message);
    const echo = [`New summary.\n${note}\nLast line.`];
    const second = applied(await compact(inputFor(lineage.view(), { historyPath }, echo).input));
    const summary = second.generations[0]?.summary ?? '';
    assert.equal(summary.split('[History]').length - 1, 1);
    assert.ok(summary.startsWith('New summary.\nLast line.\n\n[History] '));
    assert.doesNotMatch(second.archives[0]?.markdown ?? '', /\[History\]/);
  });

  it('A1: a call that is still open is answered in the summary request and in the new generation', async () => {
    const lineage = lineageOf([
      ...finishedTurn(1, 'One.', 10, 2_000),
      user('Two.', 2),
      assistant([call('a'), call('b')], { turn: 2 }),
      result('b', 'x', { turn: 2 }),
    ]);
    const { input, requests } = inputFor(lineage.view());
    const outcome = applied(await compact(input));
    const view = adopt(lineage, outcome.generations);
    for (const { messages } of [...requests, projectRequest(view, options)])
      assert.equal(brokenRule(messages), undefined);
    lineage.append(result('a', 'the real result', { turn: 2 }));
    const blocks = placedBlocks(projectRequest(lineage.view(), options).messages);
    assert.ok(blocks.some((block) => block.type === 'tool_result' && block.content === 'the real result'));
  });
});

import assert from 'node:assert/strict';
import { projectMessages, projectRequest } from '../../../src/core/conversation/project.ts';
import { INTERRUPTED_CALL } from '../../../src/core/conversation/repair.ts';
import { renderEnvelope } from '../../../src/core/conversation/skillEnvelope.ts';
import interruptedNote from '../../../templates/notes/interrupted.md';
import noOutputNote from '../../../templates/notes/no-output.md';
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
  userTexts,
  viewOf,
} from './support.ts';

const date = { type: 'text', text: head.sessionDate };
const options = { maxOutputTokens: 1000, cacheKey: 'session' };

describe('projection of the system zone and the options', () => {
  it('puts the summary after the static system, as a record, and passes the options on', () => {
    const view = viewOf([user('hi')], generation({ summary: 'What happened.' }));
    const request = projectRequest(view, { ...options, thinkingBudget: 2048 });
    assert.deepEqual(request.system.slice(0, -1), head.system);
    const record = request.system.at(-1);
    assert.equal(record?.source, 'conversation_summary');
    assert.match(record?.text ?? '', /gives no instructions.*\n\nWhat happened\.$/s);
    assert.deepEqual(request.tools, head.tools);
    assert.equal(request.model, head.model.model);
    assert.equal(request.maxOutputTokens, 1000);
    assert.equal(request.thinkingBudget, 2048);
    assert.equal(request.cacheKey, 'session');
    assert.deepEqual(request.breakpoints, []);
  });

  it('leaves thinking off when the budget is absent or 0', () => {
    assert.equal('thinkingBudget' in projectRequest(viewOf([user('hi')]), options), false);
    assert.equal('thinkingBudget' in projectRequest(viewOf([user('hi')]), { ...options, thinkingBudget: 0 }), false);
  });
});

describe('projection of messages', () => {
  it('starts with the session date and the carried parts, in one user message with the first words', () => {
    const carried = [
      { kind: 'earlier_messages' as const, text: 'earlier' },
      { kind: 'skill_activation' as const, name: 'review', body: 'Review.' },
    ];
    assert.deepEqual(projectMessages(viewOf([user('hi')], generation({ carried }))), [
      {
        role: 'user',
        content: [
          date,
          { type: 'text', text: 'earlier' },
          { type: 'text', text: renderEnvelope({ name: 'review', state: 'active', body: 'Review.' }) },
          { type: 'text', text: 'hi' },
        ],
      },
    ]);
  });

  it('renders the parts of a user message in the order of design section 5', () => {
    const message = user([
      { kind: 'text', text: 'words' },
      { kind: 'note', subject: 'session_date', text: 'note' },
      { kind: 'sub_agent_result', agentId: 'b', sequence: 2, text: 'second' },
      { kind: 'sub_agent_result', agentId: 'a', sequence: 1, text: 'first' },
      { kind: 'pending_line', text: 'pending' },
      { kind: 'skill_activation', name: 'on', body: 'On.' },
      { kind: 'skill_deactivation', name: 'off', body: 'Off.' },
      { kind: 'mode_notice', mode: 'plan', text: 'mode' },
    ]);
    assert.deepEqual(userTexts(projectMessages(viewOf([message]))).slice(1), [
      'mode',
      renderEnvelope({ name: 'off', state: 'inactive', body: 'Off.' }),
      renderEnvelope({ name: 'on', state: 'active', body: 'On.' }),
      'pending',
      'first',
      'second',
      'note',
      'words',
    ]);
  });

  it('A3: puts parallel results into call order, failures and denials included, and text after them', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const view = viewOf([
      user('go'),
      assistant(ids.map((id) => call(id))),
      result('d', 'denied by user', { status: 'denied' }),
      result('b'),
      result('e'),
      user('a steer'),
      result('c', 'exit 1', { status: 'error' }),
      result('a'),
    ]);
    assert.deepEqual(projectMessages(view)[2], {
      role: 'user',
      content: [
        { type: 'tool_result', callId: 'a', content: 'content of a', isError: false },
        { type: 'tool_result', callId: 'b', content: 'content of b', isError: false },
        { type: 'tool_result', callId: 'c', content: 'exit 1', isError: true },
        { type: 'tool_result', callId: 'd', content: 'denied by user', isError: true },
        { type: 'tool_result', callId: 'e', content: 'content of e', isError: false },
        { type: 'text', text: 'a steer' },
      ],
    });
  });

  it('A4a: a stop during thinking leaves no blank block and no empty message, and the model is told', () => {
    const cut = assistant(
      [
        { type: 'thinking', thinking: 'Let me', signature: 'sig' },
        { type: 'text', text: '\n\n' },
      ],
      { incomplete: true, stopReason: 'stopped' },
    );
    assert.deepEqual(projectMessages(viewOf([user('first'), cut, user('go on', 2)])), [
      {
        role: 'user',
        content: [
          date,
          { type: 'text', text: 'first' },
          { type: 'text', text: interruptedNote.trim() },
          { type: 'text', text: 'go on' },
        ],
      },
    ]);
  });

  it('A4a: the stored text of a cut answer stays exact, the note follows it on the wire only', () => {
    const cut = assistant([{ type: 'text', text: 'I was about' }], { incomplete: true, stopReason: 'stopped' });
    const messages = projectMessages(viewOf([user('first'), cut]));
    assert.deepEqual(messages.slice(1), [
      { role: 'assistant', content: [{ type: 'text', text: 'I was about' }] },
      { role: 'user', content: [{ type: 'text', text: interruptedNote.trim() }] },
    ]);
    assert.deepEqual(cut.blocks, [{ type: 'text', text: 'I was about' }]);
  });

  it('A4b: an answer never ends in white space on the wire', () => {
    const answer = says('Done. \n ');
    assert.deepEqual(projectMessages(viewOf([user('x'), answer])).at(-1), {
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
    });
    assert.deepEqual(answer.blocks, [{ type: 'text', text: 'Done. \n ' }]);
  });

  it('A4c: a tool that printed nothing says so', () => {
    const messages = projectMessages(viewOf([user('x'), assistant([call('a')]), result('a', ' \n')]));
    assert.deepEqual(messages.at(-1)?.content, [
      { type: 'tool_result', callId: 'a', content: noOutputNote.trim(), isError: false },
    ]);
  });

  it('answers a call that has no result, and drops results that answer nothing', () => {
    const view = viewOf([
      result('orphan'),
      user('x'),
      assistant([call('a'), call('b')]),
      result('b'),
      result('b', 'again'),
      says('later'),
      result('a', 'too late'),
    ]);
    const results = placedBlocks(projectMessages(view)).filter(({ type }) => type === 'tool_result');
    assert.deepEqual(results, [
      { role: 'user', type: 'tool_result', callId: 'a', content: INTERRUPTED_CALL, isError: true },
      { role: 'user', type: 'tool_result', callId: 'b', content: 'content of b', isError: false },
    ]);
  });

  it('A5: gives repeated and empty call ids ids of their own, and each call its own result', () => {
    const view = viewOf([
      user('x'),
      assistant([call('same', { n: 1 }), call('same', { n: 2 })]),
      result('same', 'first'),
      result('same', 'second'),
      assistant([call('same', { n: 3 }), call('', { n: 4 })]),
      result('', 'fourth'),
      result('same', 'third'),
    ]);
    const messages = projectMessages(view);
    assert.equal(brokenRule(messages), undefined);
    const blocks = placedBlocks(messages);
    const inputs = blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.callId, block.input]] : []));
    const contents = blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.callId, block.content]] : []));
    assert.deepEqual(inputs, [
      ['same', { n: 1 }],
      ['same_2', { n: 2 }],
      ['same_3', { n: 3 }],
      ['call', { n: 4 }],
    ]);
    assert.deepEqual(contents, [
      ['same', 'first'],
      ['same_2', 'second'],
      ['same_3', 'third'],
      ['call', 'fourth'],
    ]);
  });

  it('A12: thinking goes back as it came within its generation, and not at all from an earlier one', () => {
    const thinking = { type: 'thinking' as const, thinking: ' Hm. \n', signature: 'sig' };
    const redacted = { type: 'redacted_thinking' as const, data: 'xyz' };
    const turn = [user('x'), assistant([thinking, redacted, call('a')]), result('a')];
    const lineage = lineageOf(turn);
    assert.deepEqual(projectMessages(lineage.view())[1]?.content.slice(0, 2), [thinking, redacted]);

    lineage.addGeneration(generation({ id: 2, retained: turn.map(({ id }) => id) }));
    assert.deepEqual(
      projectMessages(lineage.view())[1]?.content.map(({ type }) => type),
      ['tool_call'],
    );
  });

  it('A12: a generation made inside a tool loop turns thinking off until the loop has ended', () => {
    const loop = [user('x'), assistant([call('a')]), result('a')];
    const lineage = lineageOf(loop);
    lineage.addGeneration(generation({ id: 2, retained: loop.map(({ id }) => id) }));
    const budget = () => projectRequest(lineage.view(), { ...options, thinkingBudget: 2048 }).thinkingBudget;
    assert.equal(budget(), undefined);
    lineage.append(assistant([call('b')]));
    lineage.append(result('b'));
    assert.equal(budget(), undefined);
    lineage.append(assistant([{ type: 'thinking', thinking: 'cut', signature: '' }], { incomplete: true }));
    lineage.append(user('go on', 2));
    assert.equal(budget(), undefined, 'a stopped answer that left nothing does not end the loop');
    lineage.append(says('done'));
    lineage.append(user('next', 3));
    assert.equal(budget(), 2048);
  });

  it('A12: thinking that cannot be sent byte for byte is left out whole', () => {
    const poisoned = assistant([
      { type: 'thinking', thinking: 'half \ud83d', signature: 'a' },
      { type: 'thinking', thinking: 'whole', signature: 'b' },
      { type: 'text', text: 'Answer.' },
    ]);
    assert.deepEqual(projectMessages(viewOf([user('x'), poisoned]))[1]?.content, [{ type: 'text', text: 'Answer.' }]);
  });

  it('carries retained user words over without skill parts, and no message that becomes empty', () => {
    const skill = { kind: 'skill_activation' as const, name: 's', body: 'b' };
    const only = user([skill]);
    const mixed = user([skill, { kind: 'text', text: 'words' }]);
    const answer = says('ok');
    const lineage = lineageOf([only, answer, mixed]);
    assert.equal(userTexts(projectMessages(lineage.view())).filter((text) => text.includes('steiner-skill')).length, 2);
    lineage.addGeneration(generation({ id: 2, retained: [only.id, answer.id, mixed.id] }));
    assert.deepEqual(projectMessages(lineage.view()), [
      { role: 'user', content: [date] },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
      { role: 'user', content: [{ type: 'text', text: 'words' }] },
    ]);
  });

  it('A17: heals lone surrogates of a poisoned session in every text and argument', () => {
    const bad = 'cut \ud83d';
    const view = viewOf(
      [
        user([{ kind: 'text', text: bad }]),
        assistant([{ type: 'text', text: bad }, call('a', { path: bad, list: [bad], [bad]: 1 }, 'read')]),
        result('a', bad),
      ],
      generation({ summary: bad, head: { ...head, sessionDate: bad } }),
    );
    const request = projectRequest(view, options);
    assert.doesNotMatch(JSON.stringify([request.system, request.messages]), /\\ud[89a-f]/i);
    assert.deepEqual(
      placedBlocks(request.messages).find(({ type }) => type === 'tool_call'),
      {
        role: 'assistant',
        type: 'tool_call',
        callId: 'a',
        name: 'read',
        input: { path: 'cut \ufffd', list: ['cut \ufffd'], 'cut \ufffd': 1 },
      },
    );
  });

  it('projects each stored message once: the blocks of two requests are the same objects', () => {
    const lineage = lineageOf([user('x'), assistant([{ type: 'text', text: 'a' }, call('a')]), result('a')]);
    const earlier = projectMessages(lineage.view());
    lineage.append(says('more'));
    const later = projectMessages(lineage.view());
    for (const [index, message] of earlier.entries()) {
      // The first block is the session date, which is no message.
      for (const [at, block] of message.content.entries()) {
        if (index + at > 0) assert.equal(later[index]?.content[at], block);
      }
    }
  });

  it('projects 10,000 old messages within a generous ceiling', () => {
    const messages = Array.from({ length: 5000 }, (_, index) => [
      assistant([{ type: 'text', text: 'x' }, call(`c${index}`)]),
      result(`c${index}`),
    ]).flat();
    const lineage = lineageOf([user('go'), ...messages]);
    projectMessages(lineage.view());
    const start = performance.now();
    projectMessages(lineage.view());
    assert.ok(performance.now() - start < 2_000);
  });
});

import assert from 'node:assert/strict';
import { gapsBefore } from '../../bench/context/gaps.ts';
import { sessionsOf } from '../../bench/context/sessions.ts';
import { parseTrace, type Trace } from '../../bench/context/trace.ts';

const user = (text: string, tok = 10) => ({ role: 'user', kind: 'text', text, tok });
const says = (text: string, call: number, rest = {}) => ({
  role: 'assistant',
  kind: 'text',
  text,
  call,
  tok: 5,
  ...rest,
});
const uses = (tid: string, call: number, name = 'bash') => ({
  role: 'assistant',
  kind: 'tool_use',
  name,
  input: { command: tid },
  tid,
  call,
  tok: 7,
});
const gives = (tid: string, text = tid) => ({ role: 'tool', kind: 'tool_result', name: 'bash', text, tid, tok: 9 });

function traceOf(id: string, repo: string, events: unknown[]): Trace {
  return parseTrace({ id, repo, events });
}

describe('bench traces', () => {
  it('are cut into model calls, with results in call order', () => {
    const { steps } = traceOf('t', 'r', [
      user('first'),
      says('both', 0),
      uses('a', 0),
      uses('b', 0),
      gives('b', 'of b'),
      gives('a', 'of a'),
      says('done', 1, { t_idle_seconds: 12.5 }),
      user('second'),
      says('again', 2),
    ]);
    assert.deepEqual(
      steps.map((step) => [
        step.users.map(({ text }) => text),
        step.answer.length,
        step.results.map(({ text }) => text),
      ]),
      [
        [['first'], 3, ['of a', 'of b']],
        [[], 1, []],
        [['second'], 1, []],
      ],
    );
    assert.deepEqual(
      steps.map(({ idleSeconds }) => idleSeconds),
      [undefined, 12.5, undefined],
    );
  });

  it('need no call numbers, ids, tokens, repository or usage, and pass over what is unknown', () => {
    const problems: string[] = [];
    const trace = parseTrace(
      {
        id: 't',
        events: [
          { role: 'system', kind: 'text', text: 'You are' },
          { role: 'user', kind: 'text', text: 'go' },
          { role: 'assistant', kind: 'thinking', text: 'hm' },
          { role: 'assistant', kind: 'tool_use', name: 'mystery_tool' },
          { role: 'tool', kind: 'tool_result', text: 'one' },
          { role: 'assistant', kind: 'tool_use', input: 'no object', tok: 'many', call: null },
          { role: 'user', kind: 'tool_result', text: 'two' },
          { role: 'tool', kind: 'tool_result', text: 'answers nothing' },
          'no event',
          null,
        ],
      },
      (problem) => problems.push(problem),
    );
    assert.equal(trace.repo, 't');
    assert.deepEqual(
      trace.steps.map(({ results }) => results.map(({ text }) => text)),
      [['one'], ['two']],
    );
    assert.deepEqual(problems, ['t: 5 of 10 events are of no known kind and were left out']);
  });

  it('that are none are refused with what is missing', () => {
    assert.throws(() => parseTrace({ repo: 'r', events: [] }), /id/);
    assert.throws(() => parseTrace([]), /expected object/i);
  });

  it('of five tasks of one repository are also joined, in id order, without the repeated instructions', () => {
    const task = (number: number) =>
      traceOf(`task-${number}`, 'r', [
        user(`<pr_description>\nTask ${number}\n</pr_description>\n<instructions>Be careful.</instructions>`),
        says(`did ${number}`, 0),
      ]);
    const chat = traceOf('pi-chat', 'r', [user('hello'), says('hi', 0)]);
    const sessions = sessionsOf([chat, ...[5, 3, 1, 4, 2].map(task)]);
    assert.deepEqual(
      sessions.map(({ id, group, steps }) => [id, group, steps.length]),
      [
        ['pi-chat', 'user', 1],
        ['joined r', 'joined', 5],
        ...[1, 2, 3, 4, 5].map((number) => [`task-${number}`, 'short', 1]),
      ],
    );
    assert.deepEqual(
      sessions[1]?.steps.map(({ users }) => users.map(({ text }) => text)),
      [
        ['<pr_description>\nTask 1\n</pr_description>\n<instructions>Be careful.</instructions>'],
        ...[2, 3, 4, 5].map((number) => [`Task ${number}`]),
      ],
    );
    assert.equal(sessionsOf([1, 2, 3, 4].map(task)).filter(({ group }) => group === 'joined').length, 0);
  });
});

describe('bench idle gaps', () => {
  const events = Array.from({ length: 400 }, (_, call) => [
    user('go on'),
    uses(`${call}`, call),
    gives(`${call}`),
    says('x', call + 0.5),
  ]);
  const [session] = sessionsOf([traceOf('pi-gaps', 'r', events.flat())]);
  assert.ok(session);
  const atTurns = (gaps: number[]) => gaps.filter((_, index) => index % 2 === 0).slice(1);
  const share = (gaps: number[], inside: (seconds: number) => boolean) =>
    gaps.filter((gap) => inside(gap / 1_000)).length / gaps.length;

  it('are the same on every run and others with another seed', () => {
    assert.deepEqual(gapsBefore(session, 'recorded', 1), gapsBefore(session, 'recorded', 1));
    assert.notDeepEqual(gapsBefore(session, 'recorded', 1), gapsBefore(session, 'recorded', 2));
  });

  it('are short inside a turn; at a user message a quarter are pauses, with coldheavy six tenths', () => {
    const recorded = gapsBefore(session, 'recorded', 1);
    const inTurns = recorded.filter((_, index) => index % 2 === 1);
    assert.ok(share(inTurns, (seconds) => seconds < 60) > 0.98);
    const paused = share(atTurns(recorded), (seconds) => seconds > 900);
    assert.ok(paused > 0.14 && paused < 0.28, `${paused} of the recorded gaps`);
    const cold = share(atTurns(gapsBefore(session, 'coldheavy', 1)), (seconds) => seconds > 900);
    assert.ok(cold > 0.45 && cold < 0.62, `${cold} of the cold-heavy gaps`);
    assert.ok(gapsBefore(session, 'warm', 1).every((gap) => gap <= 120_000));
  });

  it('that are recorded stand, but at a user message not with coldheavy', () => {
    const recorded = traceOf('pi-r', 'r', [user('a'), says('a', 0), user('b'), says('b', 1, { t_idle_seconds: 400 })]);
    const [one] = sessionsOf([recorded]);
    assert.ok(one);
    assert.deepEqual(gapsBefore(one, 'recorded', 1), [0, 400_000]);
    assert.deepEqual(gapsBefore(one, 'warm', 1), [0, 120_000]);
    assert.notEqual(gapsBefore(one, 'coldheavy', 1)[1], 400_000);
  });
});

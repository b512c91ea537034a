import assert from 'node:assert/strict';
import * as z from 'zod';
import { Approvals } from '../../../src/core/agent/approvals.ts';
import type { AgentEvent, ApprovalAnswer } from '../../../src/core/agent/events.ts';
import { runToolCalls, type ToolExecutionDeps } from '../../../src/core/agent/toolExecution.ts';
import type { Mode, ToolCallBlock, ToolMessage } from '../../../src/core/conversation/message.ts';
import { systemClock } from '../../../src/core/platform/clock.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../../src/core/tools/tool.ts';

type Input = { key: string };

/** A tool whose behaviour the test gives; everything around it is real. */
function tool(
  name: string,
  run: (input: Input, context: ToolContext) => Promise<ToolOutcome>,
  options: { asks?: boolean; parallel?: boolean; effect?: Tool['effect'] } = {},
): Tool<Input> {
  return {
    name,
    description: name,
    effect: options.effect ?? 'read',
    input: z.object({ key: z.string() }),
    parallel: options.parallel ?? true,
    approval: async () =>
      options.asks
        ? { title: name, detail: name, detailKind: 'text', sessionKey: `all:${name}`, sessionLabel: `all ${name}` }
        : undefined,
    execute: run,
    title: (input) => input.key,
  };
}

const ok = (content: string): ToolOutcome => ({ status: 'ok', content });

function call(name: string, key: string, callId = `call_${key}`): ToolCallBlock {
  return { type: 'tool_call', callId, name, input: { key } };
}

describe('running the tool calls of an answer', () => {
  let stored: ToolMessage[];
  let events: AgentEvent[];
  let allowed: Set<string>;
  let mode: Mode;
  let trusted: boolean;
  let answers: (request: Extract<AgentEvent, { type: 'approval_requested' }>['request']) => ApprovalAnswer | undefined;

  beforeEach(() => {
    stored = [];
    events = [];
    allowed = new Set();
    mode = 'build';
    trusted = true;
    answers = () => 'once';
  });

  function run(tools: Tool<Input>[], calls: ToolCallBlock[], signal = new AbortController().signal) {
    let ids = 0;
    const emit = (event: AgentEvent) => {
      events.push(event);
      if (event.type !== 'approval_requested') return;
      const answer = answers(event.request);
      if (answer) setImmediate(() => approvals.answer(event.request.id, answer));
    };
    const approvals = new Approvals({
      ids: (prefix) => `${prefix}_${++ids}`,
      emit,
      isAllowed: (key) => allowed.has(key),
      allow: async (key) => void allowed.add(key),
    });
    const deps: ToolExecutionDeps = {
      tools: tools as Tool[],
      context: {
        clock: systemClock,
        files: {} as ToolContext['files'],
        processes: {} as ToolContext['processes'],
        history: {} as ToolContext['history'],
        ripgrepPath: undefined,
      },
      approvals,
      ids: (prefix) => `${prefix}_${++ids}`,
      mode: () => mode,
      trusted: () => trusted,
      takeIn: async (_call, outcome) => outcome,
      store: async (message) => void stored.push(message),
      emit,
    };
    return runToolCalls(calls, 1, signal, deps);
  }

  const resultOf = (callId: string) => stored.filter((message) => message.callId === callId);

  it('A3: slow, failing and denied calls each get their own result; no sibling is lost', async () => {
    const waits: Record<string, number> = { a: 120, b: 10, c: 60, d: 0, e: 20 };
    const work = tool('work', async ({ key }, { clock }) => {
      await clock.sleep(waits[key] ?? 0);
      if (key === 'c') return { status: 'error', content: 'exit code 1: c says no' };
      return ok(`output of ${key}`);
    });
    const guarded = tool('guarded', async () => ok('must not run'), { asks: true });
    answers = () => 'deny';
    const calls = [call('work', 'a'), call('work', 'b'), call('work', 'c'), call('guarded', 'd'), call('work', 'e')];
    await run([work, guarded], calls);
    assert.equal(stored.length, 5);
    const byCall = Object.fromEntries(stored.map((message) => [message.callId, message]));
    assert.equal(byCall.call_a?.content, 'output of a');
    assert.equal(byCall.call_b?.content, 'output of b');
    assert.equal(byCall.call_c?.status, 'error');
    assert.match(byCall.call_c?.content ?? '', /c says no/);
    assert.equal(byCall.call_d?.status, 'denied');
    assert.match(byCall.call_d?.content ?? '', /denied by user/);
    assert.equal(byCall.call_e?.content, 'output of e');
  });

  it('runs neighbours that only read side by side, at most four, and others one after another', async () => {
    let running = 0;
    let most = 0;
    const body = async () => {
      running += 1;
      most = Math.max(most, running);
      await systemClock.sleep(15);
      running -= 1;
      return ok('done');
    };
    await run(
      [tool('reads', body)],
      ['1', '2', '3', '4', '5', '6'].map((key) => call('reads', key)),
    );
    assert.equal(most, 4);
    most = 0;
    await run(
      [tool('writes', body, { parallel: false })],
      ['7', '8'].map((key) => call('writes', key)),
    );
    assert.equal(most, 1);
  });

  it('stores a result before it is shown', async () => {
    await run([tool('work', async () => ok('x'))], [call('work', 'a')]);
    assert.equal(events.at(-1)?.type, 'tool_finished');
    assert.equal(stored.length, 1);
  });

  it('A1: stop answers the running call and every later one as interrupted, and starts none of them', async () => {
    const stop = new AbortController();
    const started: string[] = [];
    const work = tool(
      'work',
      async ({ key }, { signal, clock }) => {
        started.push(key);
        if (key === 'fast') return ok('real result');
        setTimeout(() => stop.abort(new Error('stop')), 20);
        await clock.sleep(60_000, signal);
        return ok('never');
      },
      { parallel: false },
    );
    await run([work], [call('work', 'fast'), call('work', 'slow'), call('work', 'later')], stop.signal);
    assert.deepEqual(started, ['fast', 'slow']);
    assert.equal(resultOf('call_fast')[0]?.content, 'real result');
    assert.deepEqual(
      ['call_slow', 'call_later'].map((id) => resultOf(id).map((message) => message.status)),
      [['interrupted'], ['interrupted']],
    );
  });

  it('a question left open at stop is withdrawn', async () => {
    const stop = new AbortController();
    answers = () => {
      setImmediate(() => stop.abort(new Error('stop')));
      return undefined;
    };
    await run([tool('guarded', async () => ok('ran'), { asks: true })], [call('guarded', 'a')], stop.signal);
    assert.equal(stored[0]?.status, 'interrupted');
    const resolved = events.find((event) => event.type === 'approval_resolved');
    assert.equal(resolved?.type === 'approval_resolved' && resolved.answer, 'cancelled');
  });

  it('an allowance for the session covers the next call of the kind and nothing else', async () => {
    answers = () => 'session';
    const guarded = tool('guarded', async () => ok('ran'), { asks: true });
    const other = tool('other', async () => ok('ran'), { asks: true });
    await run([guarded, other], [call('guarded', 'a'), call('guarded', 'b'), call('other', 'c')]);
    const asked = events.flatMap((event) => (event.type === 'approval_requested' ? [event.request.callId] : []));
    assert.deepEqual(asked, ['call_a', 'call_c']);
    assert.deepEqual([...allowed], ['all:guarded', 'all:other']);
  });

  it('plan mode: nothing is written, and a command is asked for each time', async () => {
    mode = 'plan';
    allowed.add('all:command');
    const write = tool('write', async () => ok('written'), { effect: 'write' });
    const command = tool('command', async () => ok('ran'), { effect: 'command', asks: true });
    await run([write, command], [call('write', 'a'), call('command', 'b')]);
    assert.equal(resultOf('call_a')[0]?.status, 'error');
    assert.match(resultOf('call_a')[0]?.content ?? '', /Plan mode/);
    assert.equal(events.filter((event) => event.type === 'approval_requested').length, 1);
    assert.equal(resultOf('call_b')[0]?.content, 'ran');
  });

  it('A28: in a workspace that is not trusted an allowance for the session does not count', async () => {
    trusted = false;
    allowed.add('all:guarded');
    await run([tool('guarded', async () => ok('ran'), { asks: true })], [call('guarded', 'a'), call('guarded', 'b')]);
    assert.equal(events.filter((event) => event.type === 'approval_requested').length, 2);
  });

  it('what a command printed before Stop is kept with its result', async () => {
    const stop = new AbortController();
    const work = tool('work', async (_input, { signal, clock, onProgress }) => {
      onProgress('FOUND IT\n');
      setTimeout(() => stop.abort(new Error('stop')), 10);
      await clock.sleep(60_000, signal);
      return ok('never');
    });
    await run([work], [call('work', 'a')], stop.signal);
    assert.equal(stored[0]?.status, 'interrupted');
    assert.match(stored[0]?.content ?? '', /interrupted[\s\S]*FOUND IT/);
  });

  it('A4: cut or invalid arguments are answered with the reason and never run', async () => {
    let runs = 0;
    const write = tool('write', async () => {
      runs += 1;
      return ok('written');
    });
    await run(
      [write],
      [
        { ...call('write', 'cut', 'call_1'), input: {}, problem: 'The arguments were cut off.' },
        { type: 'tool_call', callId: 'call_2', name: 'write', input: {} },
        call('nosuch', 'x', 'call_3'),
      ],
    );
    assert.equal(runs, 0);
    assert.match(resultOf('call_1')[0]?.content ?? '', /cut off/);
    assert.match(resultOf('call_2')[0]?.content ?? '', /key/);
    assert.match(resultOf('call_3')[0]?.content ?? '', /no tool named "nosuch".*write/);
    assert.ok(stored.every((message) => message.status === 'error'));
  });

  it('a tool that throws is an error result, not a failed turn', async () => {
    const broken = tool('broken', async () => {
      throw new Error('disk on fire');
    });
    await run([broken], [call('broken', 'a')]);
    assert.equal(stored[0]?.status, 'error');
    assert.match(stored[0]?.content ?? '', /disk on fire/);
  });
});

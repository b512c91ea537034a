import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/core/platform/clock.ts';
import { estimateText } from '../../../src/core/tokens/estimate.ts';
import { prefixBytes } from '../../rig/prefix.ts';
import { call, pause, reply, say, status } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { until } from '../../rig/until.ts';
import { Agent, localModel, sonnet, TestFolders } from './agentHarness.ts';

describe('a conversation against the rig', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agents: Agent[];

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    agents = [];
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    await folders.write('a.ts', 'export const a = 1;\n');
  });

  afterEach(async () => {
    for (const agent of agents) await agent.close().catch(() => undefined);
    await rig.close();
    await folders.remove();
  });

  async function start(options: Partial<Parameters<typeof Agent.start>[1]> = {}): Promise<Agent> {
    const agent = await Agent.start(folders, { rig, ...options });
    agents.push(agent);
    return agent;
  }

  /** Turns with long answers: what a compaction can drop. */
  async function talk(agent: Agent, turns: number): Promise<void> {
    for (let turn = 1; turn <= turns; turn++) {
      rig.script(reply(say(`answer ${turn} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${turn}`);
    }
  }

  const lastText = (n = -1) => JSON.stringify(rig.requests.at(n)?.body);
  const noticesOf = (agent: Agent) => agent.of('notice').map((notice) => notice.message);

  it('answers a question with a real tool call and ends the turn', async () => {
    rig.script(reply(say('Looking.'), call('read', { path: 'a.ts' })), reply(say('It exports a.')));
    const agent = await start();
    await agent.turn('What does a.ts export?');
    assert.deepEqual(rig.violations, []);
    assert.equal(agent.of('turn_finished')[0]?.end, 'done');
    assert.match(lastText(), /export const a = 1;/);
    assert.equal(agent.state.title, 'What does a.ts export?');
  });

  it('A1: after Stop the real result and one interrupted result go out, and reopening twice changes nothing', async () => {
    await folders.write('gone.txt', '');
    rig.script(reply(call('read', { path: 'a.ts' }), call('bash', { command: 'sleep 600' })));
    let agent = await start({ clock: systemClock });
    agent.driver.send('read and sleep');
    await until(() => agent.of('tool_started').length === 2, 'both tools have started');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = Date.now();
    agent.driver.stop();
    await agent.idle();
    assert.ok(Date.now() - stopped < 2_000, 'the input must be free within 2 s');
    const logLines = async () => (await readFile(agent.stored.folder.log, 'utf8')).split('\n').length;
    const before = await logLines();
    agent = await agent.reload();
    agents.push(agent);
    agent = await agent.reload();
    agents.push(agent);
    assert.equal(await logLines(), before);
    rig.script(reply(say('going on')));
    await agent.turn('continue');
    assert.deepEqual(rig.violations, []);
    assert.match(lastText(), /export const a = 1;/);
    assert.equal(lastText().match(/interrupted: /g)?.length, 1);
    assert.doesNotMatch(lastText(), /"sleep 600".*"sleep 600"/);
  });

  it('A4: Stop during an answer of white space, then going on, breaks no rule', async () => {
    rig.script(reply(say('\n\n'), pause(10_000), say('x')), reply(say('Done. \n ')), reply(say('more')));
    const agent = await start();
    agent.driver.send('begin');
    await until(() => agent.of('assistant_delta').length > 0, 'the stream has begun');
    agent.driver.stop();
    await agent.idle();
    await agent.turn('go on');
    await agent.turn('continue');
    assert.deepEqual(rig.violations, []);
    assert.equal(agent.of('turn_finished')[0]?.end, 'stopped');
  });

  for (const [what, options] of [
    ['a reset', { fault: { action: 'reset', at: 'content_block_stop' } }],
    ['max_tokens', { stopReason: 'max_tokens' }],
    ['a false normal stop', { stopReason: 'end_turn' }],
  ] as const) {
    it(`A4: write arguments cut by ${what} never touch the file`, async () => {
      const cut = call('write', {}, { fragments: ['{"path":"a.ts","content":"half of the'] });
      rig.script(reply(cut, options), reply(say('I will send it again.')));
      const agent = await start();
      const turn = agent.turn('write it');
      await until(() => agent.of('retry_waiting').length > 0 || !agent.driver.busy, 'it waits or ends');
      rig.clock.advance(60_000);
      await turn;
      assert.equal(await readFile(join(folders.workspace, 'a.ts'), 'utf8'), 'export const a = 1;\n');
      assert.deepEqual(rig.violations, []);
      assert.equal(rig.requests.length, 2);
      if (what === 'a reset') assert.equal(agent.of('assistant_discarded').length, 1);
      else assert.match(lastText(), /cut off|not complete|incomplete|cut/i);
    });
  }

  it('A5: without usage the meter stays on estimates, rises, and compaction comes before the server refuses', async () => {
    rig.setCap(32_000);
    const words = Array.from({ length: 1_300 }, (_, index) => `word${index}`).join(' ');
    rig.script((request) =>
      /summar/i.test(JSON.stringify(request.body).slice(-4_000)) &&
      request.n > 3 &&
      !lastUser(request).includes('question')
        ? reply(say('A summary of the work so far.'), { usage: 'absent' })
        : reply(say(`answer ${request.n}`), { usage: 'absent' }),
    );
    const agent = await start({ model: localModel, window: 32_000 });
    const meters: number[] = [];
    for (let n = 1; n <= 20; n++) {
      await agent.turn(`question ${n}: ${words}`);
      const meter = agent.of('meter').at(-1)?.meter;
      assert.equal(meter?.source, 'estimated');
      assert.ok((meter?.tokens ?? 0) > 0);
      meters.push(meter?.tokens ?? 0);
    }
    assert.deepEqual(rig.violations, []);
    assert.ok((meters[1] ?? 0) > (meters[0] ?? 0));
    assert.ok(agent.of('compaction_finished').some(({ result }) => result.applied));
  });

  it('A6: a finished tool is not run again when the connection breaks after its result was sent', async () => {
    rig.script(
      reply(call('bash', { command: 'echo run >> runs.txt' })),
      reply(say('never seen'), { fault: { action: 'reset', at: 'headers' } }),
      reply(say('done')),
    );
    const agent = await start();
    const turn = agent.turn('run it');
    await until(() => agent.of('retry_waiting').length > 0, 'it waits for the second attempt');
    rig.clock.advance(60_000);
    await turn;
    assert.equal(await readFile(join(folders.workspace, 'runs.txt'), 'utf8'), 'run\n');
    assert.equal(agent.of('turn_finished')[0]?.end, 'done');
  });

  it('A10: Compact during a running tool waits for the gap between two calls; twice is once', async () => {
    const agent = await start({ clock: systemClock });
    await talk(agent, 4);
    rig.script(
      reply(call('bash', { command: 'sleep 0.5; echo slept' })),
      reply(say('Summary: four turns of filler.')),
      reply(say('after')),
    );
    agent.driver.send('sleep');
    await until(() => agent.of('tool_started').length === 1, 'the tool runs');
    agent.driver.compact();
    agent.driver.compact();
    await agent.idle();
    assert.deepEqual(rig.violations, []);
    const finished = agent.of('compaction_finished');
    assert.equal(finished.length, 1);
    assert.equal(finished[0]?.result.applied, true);
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    assert.equal(agent.events.at(-1)?.type, 'idle');
    assert.match(lastText(), /slept/);
  });

  it('A10: Compact while text streams lets the answer finish first', async () => {
    const agent = await start();
    await talk(agent, 4);
    rig.script(reply(say('long '), pause(200), say('answer')), reply(say('Summary of it.')));
    agent.driver.send('talk');
    await until(() => agent.of('assistant_delta').at(-1)?.text === 'long ', 'text streams');
    agent.driver.compact();
    await agent.idle();
    assert.deepEqual(rig.violations, []);
    assert.equal(agent.of('compaction_finished').filter(({ result }) => result.applied).length, 1);
    const spoken = agent.of('assistant_message').at(-1)?.message.blocks;
    assert.deepEqual(spoken, [
      { type: 'text', text: 'long ' },
      { type: 'text', text: 'answer' },
    ]);
  });

  it('text typed while the agent works joins between two calls, as one message', async () => {
    rig.script(reply(call('bash', { command: 'sleep 0.3' })), reply(say('ok')));
    const agent = await start({ clock: systemClock });
    agent.driver.send('work');
    await until(() => agent.of('tool_started').length === 1, 'the tool runs');
    agent.driver.send('also this');
    agent.driver.send('and that');
    assert.deepEqual(agent.driver.queued, ['also this', 'and that']);
    await agent.idle();
    assert.deepEqual(rig.violations, []);
    assert.equal(rig.requests.length, 2);
    assert.match(lastText(), /also this/);
    assert.match(lastText(), /and that/);
    assert.equal(agent.of('user_message').length, 2);
  });

  it('text that no call took before Stop goes back to the user', async () => {
    rig.script(reply(say('a'), pause(10_000), say('b')));
    const agent = await start();
    agent.driver.send('work');
    await until(() => agent.of('assistant_delta').length > 0, 'text streams');
    agent.driver.send('too late');
    agent.driver.stop();
    await agent.idle();
    assert.equal(agent.of('returned_text')[0]?.text, 'too late');
    assert.equal(rig.requests.length, 1);
  });

  it('a refused key keeps the message, says what to do, and Retry goes on without saying it twice', async () => {
    rig.script(status(401), reply(say('hello')));
    const agent = await start();
    await agent.turn('do not lose this');
    const notice = agent.of('notice').at(-1);
    assert.equal(notice?.action, 'set_api_key');
    assert.ok((notice?.advice ?? '').length > 0);
    agent.driver.retry();
    await agent.idle();
    assert.equal(lastText().match(/do not lose this/g)?.length, 1);
    agent.driver.retry();
    await agent.idle();
    assert.equal(rig.requests.length, 2, 'an old Retry button does nothing once all is answered');
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
  });

  it('A13: a running turn keeps its model and address; the next turn uses the new ones and shows the new window', async () => {
    const other = await startRig();
    try {
      rig.script(reply(call('bash', { command: 'sleep 0.3' })), reply(say('old')));
      other.script(reply(say('new')));
      const agent = await start({ clock: systemClock });
      agent.driver.send('work');
      await until(() => agent.of('tool_started').length === 1, 'the tool runs');
      await agent.driver.selectModel({ provider: 'anthropic', model: 'claude-haiku-5-5' });
      agent.baseUrl = other.baseUrlAnthropic;
      await agent.idle();
      assert.equal(rig.requests.length, 2);
      assert.match(lastText(), /claude-sonnet-5-5/);
      await agent.turn('next');
      assert.equal(rig.requests.length, 2);
      assert.equal(other.requests.length, 1);
      assert.match(JSON.stringify(other.requests[0]?.body), /claude-haiku-5-5/);
      assert.deepEqual(other.violations, []);
      assert.equal(agent.state.lineage.active.kind, 'rebased');
    } finally {
      await other.close();
    }
  });

  it('the limit of model calls pauses the turn, and Retry goes on', async () => {
    rig.script((_, n) => (n <= 4 ? reply(call('read', { path: 'a.ts' })) : reply(say('done'))));
    const agent = await start({ maxModelCalls: 3 });
    await agent.turn('loop');
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'limit');
    agent.driver.retry();
    await agent.idle();
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    assert.deepEqual(rig.violations, []);
  });

  it('answers that cannot be read end the turn after three', async () => {
    rig.script(() => reply(call('write', {}, { fragments: ['{"path":'] }), { stopReason: 'max_tokens' }));
    const agent = await start();
    await agent.turn('write');
    assert.equal(rig.requests.length, 3);
    assert.ok(noticesOf(agent).some((message) => /in a row/.test(message)));
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'failed');
  });

  it('after a reload the next request begins with the same bytes', async () => {
    rig.script(reply(call('read', { path: 'a.ts' })), reply(say('one')), reply(say('two')));
    let agent = await start();
    await agent.turn('first');
    agent = await agent.reload();
    agents.push(agent);
    await agent.turn('second');
    const [, before, after] = rig.requests;
    assert.ok(before && after);
    assert.deepEqual(prefixBytes(before, after), { isPrefix: true });
    assert.deepEqual(rig.violations, []);
  });

  it('a compaction archives the user’s words and keeps the conversation going', async () => {
    const agent = await start();
    await talk(agent, 5);
    rig.script(reply(say('The summary text.')), reply(say('still here')));
    await agent.compact('keep the greek letters');
    assert.equal(agent.of('compaction_finished')[0]?.result.applied, true);
    const history = await readFile(agent.stored.folder.history, 'utf8');
    assert.match(history, /question 1/);
    assert.match(lastText(), /keep the greek letters/);
    await agent.turn('go on');
    assert.match(lastText(), /The summary text\./);
    assert.deepEqual(rig.violations, []);
  });

  it('a stopped or failed compaction changes nothing', async () => {
    const agent = await start();
    await talk(agent, 5);
    rig.script(reply(say('half'), pause(10_000), say('never')));
    agent.driver.compact();
    await until(() => rig.requests.length === 6, 'the summary is asked for');
    agent.driver.stop();
    await agent.idle();
    assert.equal(agent.state.lineage.generations.length, 1);
    rig.script(status(400));
    await agent.compact();
    assert.equal(agent.state.lineage.generations.length, 1);
    const [, failed] = agent.of('compaction_finished').map(({ result }) => result);
    assert.ok(failed && !failed.applied && failed.advice, 'it says what happened and what to do');
    assert.deepEqual(agent.of('notice'), [], 'and says it once');
    rig.script(reply(say('fine')));
    await agent.turn('go on');
    assert.deepEqual(rig.violations, []);
  });

  it('an automatic compaction whose summary fails is told and does not end the turn', async () => {
    let threshold = 100_000;
    const agent = await start({ softThreshold: () => threshold });
    await talk(agent, 4);
    threshold = 10_000;
    rig.script(status(400), reply(say('the answer all the same')));
    await agent.turn('one more');
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
    assert.ok(noticesOf(agent).some((message) => /not compacted/.test(message)));
    assert.equal(agent.state.lineage.generations.length, 1);
    const spoken = agent.of('assistant_message').at(-1)?.message.blocks;
    assert.deepEqual(spoken, [{ type: 'text', text: 'the answer all the same' }]);
  });

  it('A7: a fixed part over the threshold costs no compaction call, and the user is told what it is', async () => {
    // Above the threshold of 22,400 tokens together with the rest, and still small enough to be sent.
    const rules = Math.floor(20_500 / estimateText('A rule of this project. ', sonnet));
    await folders.write('AGENTS.md', 'A rule of this project. '.repeat(rules));
    rig.script(() => reply(say('ok')));
    const agent = await start({ window: 32_000 });
    for (const text of ['one', 'two', 'three']) await agent.turn(text);
    assert.equal(rig.requests.length, 3);
    const notices = agent.of('notice').filter(({ message }) => /not compacted/.test(message));
    // Once the provider has reported, its own count decides; it may lie below the threshold.
    assert.ok(notices.length >= 1 && notices.length <= 3);
    assert.equal(notices[0]?.action, 'context_report');
    assert.ok(agent.of('compaction_finished').every(({ result }) => !result.applied));
  });

  it('an empty answer is told and can be tried again', async () => {
    rig.script({ parts: [] }, reply(say('now')));
    const agent = await start();
    await agent.turn('hello');
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'failed');
    assert.equal(agent.of('notice').at(-1)?.action, 'retry');
    agent.driver.retry();
    await agent.idle();
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
  });

  for (const [what, make] of [
    ['a tool that does not exist', () => call('nosuch', {})],
    ['the same failing call', () => call('read', { path: 'missing.ts' })],
  ] as const) {
    it(`${what}, asked for again and again, ends the turn`, async () => {
      rig.script(() => reply(make()));
      const agent = await start();
      await agent.turn('loop');
      assert.ok(rig.requests.length <= 5, `${rig.requests.length} calls`);
      assert.equal(agent.of('turn_finished').at(-1)?.end, 'failed');
      assert.ok(noticesOf(agent).some((message) => /in a row/.test(message)));
    });
  }

  it('text that was queued when the window closes is there after the reload and goes out with the next message', async () => {
    rig.script(reply(say('a'), pause(10_000), say('b')));
    let agent = await start();
    agent.driver.send('work');
    await until(() => agent.of('assistant_delta').length > 0, 'text streams');
    agent.driver.send('do not lose this');
    agent = await agent.reload();
    agents.push(agent);
    rig.script(reply(say('ok')));
    await agent.turn('next');
    assert.match(lastText(), /do not lose this/);
    assert.deepEqual(rig.violations, []);
  });

  it('a listener that sends at once when a run begins queues its text', async () => {
    rig.script(reply(say('one')), reply(say('two')));
    const agent = await start();
    let sent = false;
    agent.onEvent = (event) => {
      if (event.type !== 'busy' || sent) return;
      sent = true;
      agent.driver.send('at once');
    };
    await agent.turn('first');
    assert.deepEqual(rig.violations, []);
    assert.match(lastText(), /at once/);
  });

  it('a compaction that waits is cancelled by Stop, and Stop says so', async () => {
    rig.script(reply(say('a'), pause(10_000), say('b')));
    const agent = await start();
    agent.driver.send('work');
    await until(() => agent.of('assistant_delta').length > 0, 'text streams');
    agent.driver.compact();
    agent.driver.stop();
    await agent.idle();
    assert.ok(noticesOf(agent).some((message) => /cancelled/.test(message)));
    assert.equal(agent.of('compaction_started').length, 0);
  });

  it('the meter shows the new size as soon as a compaction is done', async () => {
    const agent = await start();
    await talk(agent, 5);
    rig.script(reply(say('The summary text.')));
    await agent.compact();
    const { result } = agent.of('compaction_finished')[0] ?? {};
    assert.ok(result?.applied);
    assert.equal(agent.of('meter').at(-1)?.meter.tokens, result.tokensAfter);
  });

  it('invariant 6: a log that ends anywhere in a compaction leaves no generation without its archive', async () => {
    const agent = await start();
    await talk(agent, 5);
    rig.script(reply(say('The summary text.')));
    await agent.compact();
    await agent.close();
    const lines = (await readFile(agent.stored.folder.log, 'utf8')).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as { type: string });
    const generation = records.findLastIndex(({ type }) => type === 'generation');
    const pending = records.findLastIndex(({ type }) => type === 'archive_pending');
    assert.ok(pending >= 0 && pending < generation);
  });

  it('an AGENTS.md that is a folder is named with the way out and the turn goes on', async () => {
    await mkdir(join(folders.workspace, 'AGENTS.md'));
    rig.script(reply(say('hi')));
    const agent = await start();
    await agent.turn('hello');
    assert.ok(noticesOf(agent).some((message) => /AGENTS\.md/.test(message) && /folder/i.test(message)));
    assert.equal(agent.of('turn_finished')[0]?.end, 'done');
  });

  it('mode notice, skill parts, notes and text go out in the order of the design', async () => {
    await mkdir(join(folders.workspace, '.steiner/skills/tidy'), { recursive: true });
    await writeFile(
      join(folders.workspace, '.steiner/skills/tidy/SKILL.md'),
      '---\nname: tidy\ndescription: Tidies.\n---\nBe tidy.\n',
    );
    rig.script(reply(say('one')), reply(say('two')), reply(say('three')));
    const agent = await start();
    await agent.turn('first');
    await agent.driver.setMode('plan');
    await agent.driver.setEnabledSkills(['tidy']);
    await writeFile(join(folders.workspace, 'AGENTS.md'), 'Always be kind.\n');
    await agent.turn('the-words-of-the-user');
    await agent.driver.setEnabledSkills([]);
    await agent.turn('third');
    const kinds = agent.of('user_message').map(({ message }) => message.parts.map((part) => part.kind));
    assert.deepEqual(kinds, [
      ['mode_notice', 'text'],
      ['mode_notice', 'skill_activation', 'note', 'text'],
      ['mode_notice', 'skill_deactivation', 'text'],
    ]);
    const sent = lastText();
    const at = (text: string) => sent.indexOf(text);
    assert.ok(
      at('Be tidy.') > 0 &&
        at('Be tidy.') < at('Always be kind.') &&
        at('Always be kind.') < at('the-words-of-the-user'),
    );
    assert.deepEqual(rig.violations, []);
  });
});

function lastUser(request: { body: unknown }): string {
  const { messages } = request.body as { messages: { role: string; content: unknown }[] };
  return JSON.stringify(messages.at(-1)?.content);
}

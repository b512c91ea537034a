// A provider that owns the transcript, from the driver to a real server: what it is sent, and what happens to its state
// when something comes in between. The server compares each transcript with the whole conversation.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reply, say } from '../../rig/script.ts';
import { until } from '../../rig/until.ts';
import { type Agent, sonnet } from './agentHarness.ts';
import { keeper, StatefulBench } from './statefulBench.ts';

describe('a provider that owns the transcript', () => {
  let bench: StatefulBench;

  beforeEach(async () => {
    bench = await StatefulBench.make();
  });

  afterEach(async () => {
    await bench.close();
  });

  const notices = (agent: Agent) => agent.of('notice').map(({ message }) => message);

  it('is sent only what is new after the first request, and holds the whole conversation', async () => {
    const agent = await bench.start();
    bench.server.script({ text: 'Reading.', calls: [{ name: 'read', input: { path: 'a.ts' } }] });
    await agent.turn('what is in a.ts?');
    await agent.turn('and now?');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn+', 'turn+']);
    const [first, second, third] = bench.server.turns;
    assert.ok((first?.system.length ?? 0) > 0);
    assert.deepEqual(second?.system, []);
    assert.deepEqual(
      second?.blocks.map(({ type }) => type),
      ['tool_result'],
    );
    assert.match(JSON.stringify(third?.blocks), /and now\?/);
    assert.doesNotMatch(JSON.stringify(third?.blocks), /what is in|tool_result/);
    assert.equal(bench.server.open, 1);
  });

  it('goes on with its transcript when a skill or the mode is switched: those are appended', async () => {
    await mkdir(join(bench.folders.workspace, '.steiner/skills/review'), { recursive: true });
    await bench.folders.write(
      '.steiner/skills/review/SKILL.md',
      '---\nname: review\ndescription: d\n---\nBe strict.\n',
    );
    const agent = await bench.start();
    await agent.turn('one');
    await agent.driver.setEnabledSkills(['review']);
    await agent.driver.setMode('plan');
    await agent.turn('two');
    await agent.driver.setEnabledSkills([]);
    await agent.turn('three');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn+', 'turn+']);
    const [, second, third] = bench.server.turns.map(({ blocks }) => JSON.stringify(blocks));
    assert.match(second ?? '', /state=\\"active\\".*Be strict/s);
    assert.match(third ?? '', /state=\\"inactive\\"/);
  });

  it('a log that lost a message has no state: the transcript holds something else', async () => {
    const agent = await bench.start();
    await agent.turn('one');
    await agent.turn('two');
    await agent.close();
    const { log } = agent.stored.folder;
    const lines = (await readFile(log, 'utf8')).split('\n');
    const lost = lines.findIndex((line) => line.includes('"role":"assistant"'));
    await writeFile(log, lines.with(lost, 'damaged').join('\n'));
    const again = await bench.open(agent.stored.id);
    assert.equal(again.state.backendState(keeper), undefined);
    await again.turn('three');
    assert.deepEqual(bench.turnsSince(2), ['turn']);
  });

  it('goes on with its transcript after a reload, and its state is in the log', async () => {
    let agent = await bench.start();
    await agent.turn('one');
    const state = agent.state.backendState(keeper);
    assert.ok(state);
    agent = await bench.reload(agent);
    assert.deepEqual(agent.state.backendState(keeper), state);
    await agent.turn('two');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn+']);
  });

  it('that has lost it refuses, and gets the whole conversation at once; the user is not bothered', async () => {
    const agent = await bench.start();
    await agent.turn('one');
    bench.server.forget();
    await agent.turn('two');
    await agent.turn('three');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn+ gone', 'turn', 'turn+']);
    assert.deepEqual(notices(agent), []);
    assert.deepEqual(agent.of('retry_waiting'), []);
    assert.equal(agent.of('assistant_discarded').length, 1);
    const said = agent.state.lineage.messages.filter(({ role }) => role === 'assistant');
    assert.equal(said.length, 3);
  });

  it('that refuses even the whole conversation is asked no third time', async () => {
    const agent = await bench.start();
    await agent.turn('one');
    bench.server.forget();
    bench.server.script({ fault: 'refuse' });
    await agent.turn('two');
    assert.deepEqual(bench.turnsSince(1), ['turn+ gone', 'turn refused']);
    assert.deepEqual(notices(agent), ['refused by the script']);
    agent.driver.retry();
    await agent.idle();
    assert.deepEqual(bench.turnsSince(3), ['turn']);
  });

  for (const telling of ['observer', 'mark', 'nothing'] as const) {
    const refused = telling === 'nothing' ? ['turn+ gone'] : [];

    it(`whose answer was stopped in the middle begins again with the whole conversation; told by: ${telling}`, async () => {
      bench.provider.telling = telling;
      let agent = await bench.start();
      await agent.turn('one');
      bench.server.script({ text: 'half an answer', fault: 'stall' });
      agent.driver.send('two');
      await until(() => agent.of('assistant_delta').at(-1)?.text === 'half an answer', 'text streams');
      agent.driver.stop();
      await agent.idle();
      assert.equal(agent.state.backendState(keeper) === undefined, telling !== 'nothing');
      agent = await bench.reload(agent);
      await agent.turn('three');
      await agent.turn('four');
      assert.deepEqual(bench.turnsSince(1), ['turn+ broken', ...refused, 'turn', 'turn+']);
    });

    it(`whose connection broke is asked again with the whole conversation; told by: ${telling}`, async () => {
      bench.provider.telling = telling;
      const agent = await bench.start();
      await agent.turn('one');
      bench.server.script({ text: 'half', fault: 'cut' });
      agent.driver.send('two');
      await bench.idle(agent);
      await agent.turn('three');
      assert.deepEqual(bench.turnsSince(1), ['turn+ broken', ...refused, 'turn', 'turn+']);
      assert.equal(agent.of('retry_waiting').length, 1);
    });
  }

  it('a reload in the middle of an answer loses nothing', async () => {
    let agent = await bench.start();
    await agent.turn('one');
    bench.server.script({ text: 'half an answer', fault: 'stall' });
    agent.driver.send('two');
    await until(() => agent.of('assistant_delta').at(-1)?.text === 'half an answer', 'text streams');
    agent = await bench.reload(agent);
    await agent.turn('three');
    assert.deepEqual(bench.turnsSince(1), ['turn+ broken', 'turn']);
    assert.match(JSON.stringify(bench.server.turns.at(-1)?.blocks), /one.*ok.*two.*half an answer.*three/s);
  });

  it('another model does not get its state, nor does it itself after the conversation came back', async () => {
    const agent = await bench.start();
    await agent.turn('one');
    await agent.driver.selectModel(sonnet);
    bench.rig.script(reply(say('from the other model')));
    await agent.turn('two');
    assert.equal(agent.state.backendState(keeper), undefined);
    await agent.driver.selectModel(keeper);
    await agent.turn('three');
    await agent.turn('four');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn', 'turn+']);
    assert.match(JSON.stringify(bench.server.turns[1]?.blocks), /one.*from the other model.*three/s);
    assert.doesNotMatch(JSON.stringify(bench.rig.requests), /transcript-1/);
    assert.deepEqual(bench.rig.violations, []);
  });

  it('begins again when a call id of its answer had to be replaced: its transcript names another one', async () => {
    const agent = await bench.start();
    const calls = [{ id: 'same', name: 'read', input: { path: 'a.ts' } }];
    bench.server.script({ calls }, {}, { calls });
    await agent.turn('one');
    await agent.turn('two');
    await agent.turn('three');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn+', 'turn+', 'turn', 'turn+']);
  });

  it('an empty answer is no part of the conversation, so its state is not taken over', async () => {
    const agent = await bench.start();
    await agent.turn('one');
    bench.server.script({ text: '' });
    await agent.turn('two');
    await agent.turn('three');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn+', 'turn']);
  });

  it('a provider without the capability is never handed a state, whatever it says', async () => {
    const { stateful: _, ...capabilities } = bench.provider.capabilities();
    const agent = await bench.start({ provider: () => ({ provider: bench.provider, capabilities }) });
    await agent.turn('one');
    await agent.turn('two');
    assert.deepEqual(bench.turnsSince(0), ['turn', 'turn']);
    assert.deepEqual(stateRecords(await logLines(agent)), []);
  });

  it('a crash at any moment: the conversation goes on, and the transcript is what the log says', async () => {
    const agent = await bench.start();
    bench.server.script({ calls: [{ name: 'read', input: { path: 'a.ts' } }] });
    await agent.turn('one');
    await bench.talk(agent, 4);
    await agent.compact();
    assert.equal(agent.of('compaction_finished').at(-1)?.result.applied, true);
    await agent.turn('last');
    await agent.close();
    const { log } = agent.stored.folder;
    const whole = (await readFile(log, 'utf8')).trimEnd().split('\n');
    assert.equal(stateRecords(whole).length, 8, 'seven answers, one retirement');
    const first = whole.findIndex((line) => line.includes('"type":"generation"'));
    for (let lines = first + 1; lines <= whole.length; lines++) {
      // A torn record follows, as a crash leaves it.
      await writeFile(log, `${whole.slice(0, lines).join('\n')}\n{"type":"backend_st`);
      const again = await bench.open(agent.stored.id);
      const asked = bench.server.turns.length;
      await again.turn('after the crash');
      assert.equal(again.of('turn_finished').at(-1)?.end, 'done', `after ${lines} records`);
      assert.deepEqual(notices(again), [], `after ${lines} records`);
      await again.turn('and on');
      const [, ...later] = bench.turnsSince(asked).filter((turn) => !turn.endsWith('gone'));
      assert.deepEqual(later, ['turn+'], `after ${lines} records`);
      await again.close();
    }
  });
});

async function logLines(agent: Agent): Promise<string[]> {
  await agent.state.save();
  return (await readFile(agent.stored.folder.log, 'utf8')).trimEnd().split('\n');
}

function stateRecords(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith('{"type":"backend_state'));
}

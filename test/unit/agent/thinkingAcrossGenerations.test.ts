import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { call, reply, say, think } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, localModel, sonnet, TestFolders } from './agentHarness.ts';

describe('A12: thinking and a generation made inside a tool loop, on a model that always thinks', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agent: Agent;

  beforeEach(async () => {
    rig = await startRig();
    folders = await TestFolders.make();
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
  });
  afterEach(async () => {
    await agent.close();
    await rig.close();
    await folders.remove();
  });

  /** Thinks, calls a tool, and something happens as soon as its result is there. */
  async function inTheLoop(happens: () => void, after: Parameters<Rig['script']>): Promise<void> {
    let done = false;
    agent.onEvent = (event) => {
      if (event.type !== 'tool_finished' || done) return;
      done = true;
      happens();
    };
    rig.script(reply(think('hm'), call('bash', { command: 'echo hi' })), ...(after as ReturnType<typeof reply>[]));
    await agent.turn('work');
  }

  async function talk(): Promise<void> {
    for (let turn = 1; turn <= 4; turn++) {
      rig.script(reply(think('x'), say(`answer ${turn} ${'filler '.repeat(3_000)}`)));
      await agent.turn(`question ${turn}`);
    }
  }

  async function endsWell(): Promise<void> {
    rig.script(reply(say('and on')), reply(say('and on')));
    await agent.turn('next');
    assert.deepEqual(
      rig.violations.filter(({ rule }) => rule !== 'SCRIPT'),
      [],
    );
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
  }

  for (const thinkingBudget of [0, 2_048]) {
    it(`a compaction in the middle of the loop (budget ${thinkingBudget})`, async () => {
      agent = await Agent.start(folders, { rig, thinkingBudget, model: sonnet });
      await talk();
      await inTheLoop(() => agent.driver.compact(), [reply(think('s'), say('Summary.')), reply(say('done'))]);
      assert.ok(agent.of('compaction_finished').some(({ result }) => result.applied));
      assert.equal(agent.of('turn_finished').at(-1)?.end, 'done');
      await endsWell();
    });

    it(`a compaction after Stop in the loop (budget ${thinkingBudget})`, async () => {
      agent = await Agent.start(folders, { rig, thinkingBudget, model: sonnet });
      await talk();
      await inTheLoop(() => agent.driver.stop(), []);
      rig.script(reply(say('Summary.')));
      await agent.compact();
      await endsWell();
    });

    it(`a switch from another wire with a loop left open (budget ${thinkingBudget})`, async () => {
      agent = await Agent.start(folders, { rig, thinkingBudget, model: localModel });
      agent.onEvent = (event) => {
        if (event.type === 'tool_finished') agent.driver.stop();
      };
      rig.script(reply(call('bash', { command: 'echo hi' })));
      await agent.turn('work');
      await agent.driver.selectModel(sonnet);
      await endsWell();
    });
  }
});

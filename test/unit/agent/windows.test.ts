import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { toolDefinitions } from '../../../src/core/tools/definition.ts';
import { allTools, toolsFor } from '../../../src/core/tools/registry.ts';
import type { LoggedRequest } from '../../rig/log.ts';
import { call, reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, localModel, sonnet, TestFolders } from './agentHarness.ts';

const WINDOWS = [8_192, 32_768, 131_072, 200_000, 1_000_000];
const REDUCED = ['bash', 'edit', 'grep', 'read', 'write'];
const SENTENCE = 'The planner keeps a list of open questions and settles them one after another. ';
/** English prose: tokens for each of its bytes, roughly. */
const TOKENS_PER_BYTE = 0.22;

const prose = (tokens: number) => SENTENCE.repeat(Math.ceil(tokens / TOKENS_PER_BYTE / SENTENCE.length));

function toolNames({ body }: LoggedRequest): string[] {
  const { tools } = body as { tools: { name?: string; function?: { name: string } }[] };
  return tools.map((tool) => tool.name ?? tool.function?.name ?? '').sort();
}

describe('windows of every size', () => {
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

  async function start(options: Partial<Parameters<typeof Agent.start>[1]>): Promise<Agent> {
    const agent = await Agent.start(folders, { rig, ...options });
    agents.push(agent);
    return agent;
  }

  for (const window of WINDOWS) {
    for (const model of [sonnet, localModel]) {
      it(`${window.toLocaleString('en')} tokens, ${model.provider} wire: 12 turns work, are compacted, and nothing over the window is sent`, async () => {
        rig.setCap(window);
        // Each turn: one tool call, then an answer; a summary where one is asked for.
        rig.script(({ body }) => {
          const last = JSON.stringify((body as { messages: unknown[] }).messages.at(-1));
          if (!last.includes('please') && !/tool_result|"role":"tool"/.test(last))
            return reply(say('What was done so far.'));
          return /export const a = 1/.test(last) ? reply(say('Done.')) : reply(call('read', { path: 'a.ts' }));
        });
        const agent = await start({ model, window });
        for (let turn = 1; turn <= 12; turn++) await agent.turn(`please ${turn}: ${prose(window * 0.08)}`);
        assert.deepEqual(
          agent.of('turn_finished').map(({ end }) => end),
          Array.from({ length: 12 }, () => 'done'),
          JSON.stringify(agent.of('notice')),
        );
        assert.deepEqual(rig.violations, []);
        assert.ok(agent.of('compaction_finished').some(({ result }) => result.applied));
        for (const { promptTokens = 0 } of rig.requests) assert.ok(promptTokens > 0 && promptTokens <= window);
      }).timeout(60_000);
    }
  }

  it('below 16K the reduced tool set and preamble are sent, from 16K on all of them', async () => {
    const small = await start({ model: localModel, window: 16_383 });
    rig.script(reply(say('one')));
    await small.turn('hello');
    const large = await start({ model: localModel, window: 16_384 });
    rig.script(reply(say('two')));
    await large.turn('hello');
    const [first, second] = rig.requests;
    assert.ok(first && second);
    assert.deepEqual(toolNames(first), REDUCED);
    assert.deepEqual(
      toolNames(second),
      allTools()
        .map(({ name }) => name)
        .sort(),
    );
    assert.match(JSON.stringify(first.body), /This model has little room/);
    assert.doesNotMatch(JSON.stringify(second.body), /This model has little room/);
  });

  it('the reduced tool set keeps the definitions of the whole one', () => {
    const whole = toolDefinitions(allTools());
    for (const definition of toolDefinitions(toolsFor(allTools(), 8_192))) {
      assert.deepEqual(
        definition,
        whole.find(({ name }) => name === definition.name),
      );
    }
  });

  it('below 8K nothing is sent: the notice names the way out, and Retry goes on with a larger window', async () => {
    const agent = await start({ model: localModel, window: 8_191 });
    await agent.turn('hello');
    assert.equal(rig.requests.length, 0);
    assert.equal(agent.of('turn_finished').at(-1)?.end, 'failed');
    const [notice] = agent.of('notice');
    assert.match(notice?.message ?? '', /^openai\/local-model has a context window of 8,191 tokens/);
    assert.match(notice?.advice ?? '', /larger window.*steiner\.models/);
    assert.equal(notice?.action, 'select_model');
    rig.script(reply(say('Here I am.')));
    await agent.driver.selectModel(sonnet);
    const reopened = await agent.reload({ window: 200_000 });
    agents.push(reopened);
    reopened.driver.retry();
    await reopened.idle();
    assert.equal(reopened.of('turn_finished').at(-1)?.end, 'done');
    assert.match(JSON.stringify(rig.requests.at(-1)?.body), /hello/);
  });

  it('below 8K a manual compaction is refused as well, with the same way out', async () => {
    const agent = await start({ model: localModel, window: 200_000 });
    rig.script((_, n) => reply(say(`answer ${n}`)));
    for (let turn = 1; turn <= 5; turn++) await agent.turn(`question ${turn}`);
    const reopened = await agent.reload({ window: 4_096 });
    agents.push(reopened);
    await reopened.compact();
    assert.equal(rig.requests.length, 5);
    assert.deepEqual(reopened.of('compaction_finished').at(-1)?.result, {
      applied: false,
      reason: 'the model’s context window is too small',
    });
    assert.equal(reopened.of('notice').at(-1)?.action, 'select_model');
  });

  for (const model of [sonnet, localModel]) {
    it(`8K, ${model.provider} wire: a large file, a long output and three reads at once leave room to go on`, async () => {
      rig.setCap(8_192);
      await folders.write('large.txt', `${SENTENCE}\n`.repeat(2_000));
      const large = call('read', { path: 'large.txt' });
      const steps = [
        reply(large),
        reply(say('Read.')),
        reply(call('bash', { command: 'cat large.txt' })),
        reply(say('Ran.')),
        reply(large, call('read', { path: 'large.txt', offset: 50 }), call('read', { path: 'large.txt', offset: 90 })),
        reply(say('Read three.')),
        reply(say('Still here.')),
      ];
      rig.script(({ body }) => {
        const last = JSON.stringify((body as { messages: unknown[] }).messages.at(-1));
        return last.includes('Instruction from the editor')
          ? reply(say('A summary.'))
          : (steps.shift() ?? reply(say('?')));
      });
      const agent = await start({ model, window: 8_192 });
      for (const text of ['read it', 'run it', 'read thrice', 'and now?']) await agent.turn(text);
      assert.deepEqual(
        agent.of('turn_finished').map(({ end }) => end),
        ['done', 'done', 'done', 'done'],
        JSON.stringify(agent.of('notice')),
      );
      assert.deepEqual(rig.violations, []);
      assert.equal(steps.length, 0);
      assert.match(JSON.stringify(rig.requests.map(({ body }) => body)), /The whole of it is saved at/);
    });
  }
});

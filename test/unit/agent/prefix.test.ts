import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prefixBytes } from '../../rig/prefix.ts';
import { call, reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, localModel, sonnet, TestFolders } from './agentHarness.ts';

describe('bytes on the wire within a generation', () => {
  for (const model of [sonnet, localModel]) {
    describe(`${model.provider} wire`, () => {
      let rig: Rig;
      let folders: TestFolders;
      let agent: Agent;

      before(async () => {
        rig = await startRig();
        folders = await TestFolders.make();
        await mkdir(join(folders.workspace, '.steiner/skills/tidy'), { recursive: true });
        await mkdir(folders.home, { recursive: true });
        const skill = '---\nname: tidy\ndescription: Tidies.\n---\nBe tidy.\n';
        await writeFile(join(folders.workspace, '.steiner/skills/tidy/SKILL.md'), skill);
        await folders.write('AGENTS.md', 'Be kind.\n');
        await folders.write('a.ts', 'export const a = 1;\n');
      });
      after(async () => {
        await agent.close();
        await rig.close();
        await folders.remove();
      });

      it('40 calls with skill toggles, a midnight, an AGENTS.md edit and a reload: each request begins the next (A14)', async () => {
        rig.script((_, n) => {
          if (n % 4 === 0) return reply(say(`answer ${n}`));
          if (n % 4 === 2)
            return reply(say('Two at once.'), call('read', { path: 'a.ts' }), call('list', { path: '.' }));
          return reply(call('bash', { command: `echo ${n}` }));
        });
        // 23:59 on the first day; the clock of the rig starts at 09:00 UTC.
        rig.clock.advance((14 * 60 + 59) * 60_000);
        agent = await Agent.start(folders, { rig, model });
        const dates: number[] = [];
        for (let turn = 1; turn <= 10; turn++) {
          if (turn === 2) rig.clock.advance(2 * 60_000);
          if (turn === 3) await agent.driver.setEnabledSkills(['tidy']);
          if (turn === 5) await folders.write('AGENTS.md', 'Be kind and brief.\n');
          if (turn === 6) agent = await agent.reload();
          if (turn === 7) await agent.driver.setEnabledSkills([]);
          if (turn === 8) await agent.driver.setMode('plan');
          await agent.turn(`turn ${turn}`);
          dates.push(JSON.stringify(rig.requests.at(-1)?.body).match(/2026-12-02/g)?.length ?? 0);
        }
        assert.equal(rig.requests.length, 40);
        assert.deepEqual(rig.violations, []);
        for (let n = 1; n < rig.requests.length; n++) {
          const [earlier, later] = [rig.requests[n - 1], rig.requests[n]];
          assert.ok(earlier && later);
          assert.deepEqual(prefixBytes(earlier, later), { isPrefix: true }, `request ${n} begins request ${n + 1}`);
        }
        assert.equal(agent.state.lineage.generations.length, 1);
        assert.equal(dates[0], 0, 'the first day knows no second one');
        assert.deepEqual(new Set(dates.slice(1)), new Set([1]), 'the new date is said once and stays said once');
        const last = JSON.stringify(rig.requests.at(-1)?.body);
        assert.match(last, /Be kind and brief\./);
        assert.match(last, /Be kind\.\\n/);
      });

      it('the cache read all that an earlier request had sent', () => {
        for (const [n, request] of rig.requests.entries()) {
          if (n === 0) continue;
          const before = rig.requests[n - 1]?.promptTokens ?? 0;
          // OpenAI's cache counts in steps of 128 tokens; Anthropic's ends at the marked tail, which is all there was.
          if (before > 2_000) assert.ok((request.usage?.cacheRead ?? 0) >= before - 128, `request ${n + 1}`);
        }
      });
    });
  }
});

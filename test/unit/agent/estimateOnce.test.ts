import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { loadO200k } from '../../../src/core/tokens/o200k.ts';
import { call, reply, say } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, TestFolders } from './agentHarness.ts';

describe('the estimate of a request', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agent: Agent | undefined;

  before(async () => {
    await loadO200k();
    rig = await startRig();
    folders = await TestFolders.make();
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    await folders.write('a.ts', 'export const a = 1;\n');
  });
  after(async () => {
    await agent?.close();
    await rig.close();
    await folders.remove();
  });

  it('is made once for each model call, and its raw figure is what usage is compared with', async () => {
    rig.script((_, n) => (n < 4 ? reply(call('read', { path: 'a.ts' })) : reply(say('done'))));
    const started = await Agent.start(folders, { rig });
    agent = started;
    const { calibration } = started.state;
    const raw: number[] = [];
    const apply = calibration.apply.bind(calibration);
    calibration.apply = (model, rawTokens) => {
      raw.push(rawTokens);
      return apply(model, rawTokens);
    };
    const observed: number[] = [];
    const observe = calibration.observe.bind(calibration);
    calibration.observe = (model, rawTokens, reported) => {
      observed.push(rawTokens);
      observe(model, rawTokens, reported);
    };
    await started.turn('Read it.');
    assert.equal(rig.requests.length, 4);
    assert.equal(raw.length, 4);
    assert.deepEqual(observed, raw);
    assert.ok(raw.every((tokens, index) => tokens > (raw[index - 1] ?? 0)));
  });

  it('is calibrated for the next call and after a reload by what the provider reported', async () => {
    assert.ok(agent);
    const { model } = agent.state.settings;
    const { calibration } = agent.state;
    assert.equal(calibration.samples(model), 4);
    const factor = calibration.factor(model);
    agent = await agent.reload();
    assert.deepEqual([agent.state.calibration.factor(model), agent.state.calibration.samples(model)], [factor, 4]);
  });
});

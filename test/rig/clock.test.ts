import assert from 'node:assert/strict';
import { FakeClock } from './clock.ts';

describe('FakeClock', () => {
  it('stands still until it is moved', () => {
    const clock = new FakeClock(1000);
    assert.equal(clock.now(), 1000);
    clock.advance(500);
    assert.equal(clock.now(), 1500);
  });

  it('wakes sleepers in the order of their time', async () => {
    const clock = new FakeClock();
    const woken: number[] = [];
    const sleeps = [300, 100, 200, 900].map((ms) => clock.sleep(ms).then(() => woken.push(ms)));
    clock.advance(300);
    await Promise.all(sleeps.slice(0, 3));
    assert.deepEqual(woken, [100, 200, 300]);
    assert.equal(clock.sleeping, 1);
  });

  it('rejects a sleep whose signal aborts, and forgets it', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const sleep = clock.sleep(1000, controller.signal);
    controller.abort(new Error('stop'));
    await assert.rejects(sleep, /stop/);
    assert.equal(clock.sleeping, 0);
    await assert.rejects(clock.sleep(1, controller.signal), /stop/);
  });

  it('does not wait for nothing', async () => {
    await new FakeClock().sleep(0);
  });
});

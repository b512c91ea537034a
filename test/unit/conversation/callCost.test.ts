import assert from 'node:assert/strict';
import { measure } from '../../bench/core/measure.ts';

/** Milliseconds, and times the cost at a tenth of the length. */
const MOST_MS = 5;
const MOST_RATIO = 2;
const CALLS = 60;

describe('the agent’s own work for one model call', () => {
  it('at 10,000 messages an appended message costs under 5 ms and at most twice what it costs at 1,000', async function () {
    this.timeout(60_000);
    const figures = async () => {
      const [short, long] = [await measure(1_000, CALLS), await measure(10_000, CALLS)];
      return { ms: long.callMs.least, ratio: long.callMs.least / short.callMs.least, long };
    };
    let { ms, ratio, long } = await figures();
    // The machine may have been busy with something else for all of the short calls.
    if (ms > MOST_MS || ratio > MOST_RATIO) ({ ms, ratio, long } = await figures());
    const said = `${ms.toFixed(3)} ms, ${ratio.toFixed(2)} times; medians ${JSON.stringify(long.callMs.phases)}`;
    assert.ok(ms < MOST_MS && ratio <= MOST_RATIO, said);
  });
});

// `npm run bench:core -- [--sizes 1000,10000,100000] [--calls N] [--json]`
import { parseArgs } from 'node:util';
import { type CoreFigures, measure } from './measure.ts';
import { PHASES } from './modelCall.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    calls: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = values.sizes.split(',').map(Number);
const calls = Number(values.calls);
if (![calls, ...sizes].every((value) => Number.isInteger(value) && value > 0)) {
  throw new Error('--sizes takes positive whole numbers with commas between them, --calls takes one.');
}

const figures: CoreFigures[] = [];
for (const size of sizes) figures.push(await measure(size, calls));
const ratios = figures.map(({ callMs }) => callMs.least / (figures[0]?.callMs.least ?? callMs.least));
if (values.json) console.log(JSON.stringify({ sizes: figures, ratioToFirst: ratios }, undefined, 2));
else printTable();

function printTable(): void {
  const ms = (value: number) => value.toFixed(3);
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
  for (const [index, { messages, openMs, firstCallMs, callMs, ...heap }] of figures.entries()) {
    console.log(`${messages.toLocaleString('en')} messages`);
    console.log(`  open ${ms(openMs)} ms, first call ${ms(firstCallMs)} ms`);
    console.log(
      `  a call with one more message: least ${ms(callMs.least)} ms (${ratios[index]?.toFixed(2)} x), median ${ms(callMs.median)} ms`,
    );
    console.log(`  medians: ${PHASES.map((phase) => `${phase} ${ms(callMs.phases[phase])}`).join(', ')}`);
    console.log(
      `  heap: conversation ${mb(heap.conversationBytes)} MB, derived ${mb(heap.derivedBytes)} MB, each call ${heap.callBytes.toLocaleString('en')} bytes`,
    );
  }
}

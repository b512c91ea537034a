// `npm run bench:context -- --traces DIR ...`
import { parseArgs } from 'node:util';
import { type BenchSettings, runBench } from './bench.ts';
import { answerOf } from './figures.ts';
import { GAP_MODES } from './gaps.ts';
import { isPolicyName, POLICY_NAMES } from './policies/registry.ts';
import { tableOf } from './table.ts';
import { readTraces } from './traceFolder.ts';

const LEAST_WINDOW = 16_000;
const PROVIDERS = ['anthropic', 'openai'] as const;
const TTLS = ['5m', '1h'] as const;

interface Options extends BenchSettings {
  traces: string;
  json: boolean;
}

/** Errors: an option that is missing, unknown or out of range. */
function optionsOf(argv: string[]): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      traces: { type: 'string' },
      window: { type: 'string', default: '200000' },
      policy: { type: 'string', default: 'fixed' },
      gaps: { type: 'string', default: 'recorded' },
      provider: { type: 'string', default: 'anthropic' },
      ttl: { type: 'string', default: '5m' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.traces === undefined) throw new Error('--traces names the folder of the trace files');
  if (!isPolicyName(values.policy)) throw new Error(`--policy is one of ${POLICY_NAMES.join(', ')}`);
  return {
    traces: values.traces,
    json: values.json,
    policy: values.policy,
    window: wholeNumber('window', values.window, LEAST_WINDOW),
    seed: wholeNumber('seed', values.seed, 0),
    gaps: oneOf('gaps', values.gaps, GAP_MODES),
    provider: oneOf('provider', values.provider, PROVIDERS),
    ttl: oneOf('ttl', values.ttl, TTLS),
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isInteger(value) || value < least) throw new Error(`--${name} is a whole number from ${least} on`);
  return value;
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new Error(`--${name} is one of ${choices.join(', ')}`);
  return choice;
}

try {
  const { traces: folder, json, ...settings } = optionsOf(process.argv.slice(2));
  const traces = await readTraces(folder, (problem) => console.error(problem));
  const answer = answerOf(await runBench(traces, settings));
  console.log(json ? JSON.stringify(answer) : tableOf(answer));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

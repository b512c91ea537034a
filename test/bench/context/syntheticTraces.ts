// Made-up sessions, the same on every run: an agent that reads files, edits what it read, and runs a check. They have the
// habits of recorded ones that matter here (results of very different size, work on the same few files, later edits of
// what was read long before), not their figures.
import { seededRandom } from './random.ts';
import { parseTrace, type Trace } from './trace.ts';

type Random = () => number;

/** A long chat and six tasks of one repository. */
export function syntheticTraces(seed: number): Trace[] {
  const chat = { id: 'pi-made-up', repo: 'made-up', turns: 24, callsPerTurn: 10 };
  const tasks = Array.from({ length: 6 }, (_, index) => ({
    id: `task-${index + 1}`,
    repo: 'made-up-tasks',
    turns: 1,
    callsPerTurn: 30,
  }));
  return [chat, ...tasks].map((shape) => traceOf(shape, seededRandom(`${seed} ${shape.id}`)));
}

interface Shape {
  id: string;
  repo: string;
  turns: number;
  callsPerTurn: number;
}

function traceOf({ id, repo, turns, callsPerTurn }: Shape, random: Random): Trace {
  const files = Array.from({ length: 12 }, (_, index) => fileOf(id, index, random));
  const events: unknown[] = [];
  let call = 0;
  for (let turn = 0; turn < turns; turn++) {
    events.push({ role: 'user', kind: 'text', text: request(turns, turn), tok: 60 });
    // A turn works on a few files, most of them known from the turns before.
    const atHand = Array.from({ length: 4 }, () => pick(files.slice(0, 4 + turn / 3), random));
    for (let step = 0; step < callsPerTurn; step++, call++) {
      events.push(...callEvents(pick(atHand, random), call, random));
    }
    events.push({ role: 'assistant', kind: 'text', text: `That is done (${turn}).`, call: call++, tok: 40 });
  }
  return parseTrace({ id, repo, events });
}

function request(turns: number, turn: number): string {
  return turns === 1
    ? '<pr_description>\nRepair the sums.\n</pr_description>\nWork with care.'
    : `Go on with part ${turn}.`;
}

interface File {
  path: string;
  lines: string[];
}

function fileOf(id: string, number: number, random: Random): File {
  const lines = Array.from({ length: 20 + Math.floor(random() * 60) }, (_, line) => {
    return `  const value${number}Of${line} = combine(part_${number}_${line}, '${id}');`;
  });
  return { path: `src/area${number % 5}/file${number}.ts`, lines };
}

function callEvents(file: File, call: number, random: Random): unknown[] {
  const tid = `call-${call}`;
  const kind = random();
  const [name, input, text] =
    kind < 0.4 ? reading(file, random) : kind < 0.7 ? editing(file, random) : checking(file, random);
  return [
    { role: 'assistant', kind: 'text', text: `Next is ${file.path} (${call}).`, call, tok: 30 },
    { role: 'assistant', kind: 'tool_use', name, input, tid, call },
    { role: 'tool', kind: 'tool_result', name, text, tid },
  ];
}

type Use = [name: string, input: Record<string, string>, text: string];

function reading({ path, lines }: File, random: Random): Use {
  const shown = random() < 0.7 ? lines : lines.slice(0, 15);
  return ['read', { path }, shown.join('\n')];
}

function editing({ path, lines }: File, random: Random): Use {
  const line = pick(lines, random);
  return ['edit', { path, oldText: line, newText: line.replace('combine', 'join') }, `Changed ${path}.`];
}

function checking({ path }: File, random: Random): Use {
  const rows = Array.from(
    { length: 5 + Math.floor(random() ** 3 * 300) },
    (_, row) => `ok ${row} - case ${row} passed`,
  );
  return ['bash', { command: `run-checks ${path}` }, rows.join('\n')];
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}

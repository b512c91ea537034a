import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTrace, type Trace } from './trace.ts';

/**
 * All *.json files of a folder. A file that is no trace is told of and passed over. Errors: there is no such folder, or
 * no trace in it.
 */
export async function readTraces(folder: string, problems: (problem: string) => void): Promise<Trace[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const traces: Trace[] = [];
  for (const name of names) {
    try {
      const trace = parseTrace(JSON.parse(await readFile(join(folder, name), 'utf8')), problems);
      if (traces.some(({ id }) => id === trace.id)) problems(`${name}: a trace of the id ${trace.id} was read before`);
      else if (trace.steps.length === 0) problems(`${name}: there is no model call in it`);
      else traces.push(trace);
    } catch (error) {
      problems(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (traces.length === 0) throw new Error(`There is no trace in ${folder}`);
  return traces;
}

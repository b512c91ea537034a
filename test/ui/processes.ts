// The programs that run on this machine, as far as tests look for their own.
import { readdir, readFile } from 'node:fs/promises';

/** Ids of the processes whose arguments are exactly these. Linux only. */
export async function processesRunning(...args: string[]): Promise<number[]> {
  const wanted = args.map((arg) => `${arg}\0`).join('');
  const ids = (await readdir('/proc')).map(Number).filter((id) => id > 0);
  const found = await Promise.all(
    ids.map(async (id) => {
      // A process may end between the listing and the look.
      const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
      return line === wanted ? [id] : [];
    }),
  );
  return found.flat();
}

// Progress lines on standard error: standard output belongs to results.

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Announces a step that takes long, and how long it took.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  say(`${name} ...`);
  const start = Date.now();
  const result = await work();
  say(`${name}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

// Runs tasks side by side, no more than a number of them at once.

/**
 * @template T
 * @param {(() => Promise<T>)[]} tasks
 * @param {number} atOnce
 * @returns {Promise<T[]>} in the order of the tasks
 */
export async function pool(tasks, atOnce) {
  /** @type {T[]} */
  const results = [];
  const waiting = tasks.entries();
  async function worker() {
    for (const [index, task] of waiting) results[index] = await task();
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

// Waiting in tests for what another side does in its own time.

/** Resolves when the condition holds; throws after `limitMs` real milliseconds, naming what did not happen. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, limitMs = 5000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Did not happen within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

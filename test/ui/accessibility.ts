// axe-core on one frame of the window.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as axe from 'axe-core';
import type { FrameLocator } from 'playwright-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What breaks WCAG 2.2 A and AA in the frame's document: one line for each rule, with the elements. */
export async function accessibilityViolations(frame: FrameLocator): Promise<string[]> {
  const body = await frame.locator('body').elementHandle();
  const document = await body?.ownerFrame();
  if (!document) throw new Error('The frame has no document.');
  // Evaluated by the debugger, which the document's content security policy does not bind.
  await document.evaluate(await readFile(axePath, 'utf8'));
  const violations = await document.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    return (await run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })).violations;
  });
  return violations.map((violation) => {
    const places = violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ');
    return `${violation.id} (${violation.impact}): ${violation.help}: ${places}`;
  });
}

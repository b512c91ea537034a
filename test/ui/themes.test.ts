import assert from 'node:assert/strict';
import { call, reply, say } from '../rig/script.ts';
import { type Rig, startRig } from '../rig/server.ts';
import { rigKey } from '../rig/settings.ts';
import { accessibilityViolations } from './accessibility.ts';
import { ChatPage } from './chatPage.ts';
import { openWorkbench, type Theme } from './harness.ts';
import type { Workbench } from './workbench.ts';

const WIDTHS = [300, 700];
/** How a webview's body names the kind of theme. */
const KINDS: Record<Theme, string> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast-light',
};

/** As VS Code's own list of themes calls them. */
const LABELS: Record<Theme, string> = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  'high-contrast': 'Dark High Contrast',
  'high-contrast-light': 'Light High Contrast',
};

const leg = (n: number) =>
  `Leg ${n} follows the ridge and comes down to the hut, with a spring half way and two steep places. `.repeat(250);

const explanation = [
  'The last leg goes missing because the final day is only kept when another leg overflows it. `src/days.ts` now adds the rest after the loop:',
  '```ts\n// The legs of the last day.\nif (day.length > 0) days.push(day);\n```',
  '- [src/days.ts](src/days.ts) has the change\n- `test/days.test.ts` has no test for it yet',
].join('\n\n');

const fix = {
  path: 'src/days.ts',
  old_text: '    used += time;\n  }\n  return days;',
  new_text: '    used += time;\n  }\n  if (day.length > 0) days.push(day);\n  return days;',
};

describe('the chat in every theme', () => {
  let rig: Rig;
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    rig = await startRig({ now: () => Date.now() });
    // High enough for a whole turn to be seen in the pictures.
    workbench = await openWorkbench({
      env: { ANTHROPIC_API_KEY: rigKey, ANTHROPIC_BASE_URL: rig.baseUrlAnthropic },
      height: 1400,
    });
    chat = await ChatPage.open(workbench);
    await chat.selectModel('claude-sonnet-5-5');
    await fillChat();
  });
  after(async () => {
    await workbench.close();
    await rig.close();
  });

  /** A compaction marker, tool cards, a diff, a notice, a code block, and a question that stays open. */
  async function fillChat(): Promise<void> {
    for (const n of [1, 2, 3]) {
      rig.script(reply(say(leg(n))));
      await chat.turn(`Describe leg ${n} of the route.`);
    }
    rig.script(reply(say('The route has three legs along a ridge.')));
    await workbench.palette('Steiner: Compact Conversation');
    await chat.waitForText(/Compacted: .* tokens/);
    await chat.rest();
    rig.script(
      reply(call('grep', { pattern: 'planDays' }), call('read', { path: 'src/days.ts' })),
      reply(say('The loop forgets the legs that are left at its end.'), call('edit', fix)),
      reply(say(explanation), { stopReason: 'max_tokens' }),
    );
    await chat.turn('Why does the last leg of some routes go missing? Fix it and add a test.');
    rig.script(reply(say('I run the tests.'), call('bash', { command: 'node --test test/' })));
    await chat.send('go on');
    await chat.frame.getByRole('group', { name: 'Approval needed' }).waitFor();
  }

  async function setTheme(theme: Theme): Promise<void> {
    await workbench.palette('Preferences: Color Theme');
    await workbench.pickInput().fill(LABELS[theme]);
    await workbench.pickRows().filter({ hasText: LABELS[theme] }).first().waitFor();
    await workbench.pickInput().press('Enter');
    await workbench.pickInput().waitFor({ state: 'hidden' });
    await chat.frame.locator(`body[data-vscode-theme-kind="${KINDS[theme]}"]`).waitFor();
  }

  /** Elements that are wider than their place; code, diffs and tables scroll in boxes of their own. */
  async function overflows(): Promise<string[]> {
    return chat.frame.locator('body').evaluate((body) => {
      const elements = [body.ownerDocument.documentElement, ...body.querySelectorAll('.item, .header, .composer')];
      return elements
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => `${element.className || element.tagName}: ${element.scrollWidth} > ${element.clientWidth}`);
    });
  }

  for (const width of WIDTHS) {
    for (const theme of Object.keys(KINDS) as Theme[]) {
      it(`${theme} at ${width} px: readable for everyone, nothing wider than its place`, async () => {
        await setTheme(theme);
        await workbench.setSidebarWidth(width);
        await chat.frame.locator('.messages').evaluate((list) => list.scrollTo(0, list.scrollHeight));
        assert.deepEqual(await overflows(), []);
        await workbench.screenshot(`chat-${theme}-${width}`);
        assert.deepEqual(await accessibilityViolations(chat.frame), []);
      });
    }
  }
});

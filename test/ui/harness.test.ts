import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbench } from './harness.ts';
import type { Workbench } from './workbench.ts';

describe('a window of the test ground', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({
      trust: false,
      theme: 'high-contrast',
      settings: { 'workbench.tree.indent': 23 },
      env: { STEINER_HARNESS_PROOF: 'passed on' },
    });
  });
  after(() => workbench.close());

  it('has the theme, and Restricted Mode where it is asked for', async () => {
    await workbench.page.locator('.monaco-workbench.hc-black').waitFor();
    await workbench.statusBar('Restricted Mode').waitFor();
  });

  it('passes settings and environment on, and nothing of the environment of the tests', async function () {
    if (process.platform !== 'linux') this.skip();
    const environment = `/proc/${workbench.server.pid}/environ`;
    const names = (await readFile(environment, 'utf8')).split('\0').map((line) => line.split('=')[0]);
    assert.ok(names.includes('STEINER_HARNESS_PROOF'));
    assert.ok(!names.includes('STEINER_VSIX'));
    const settings = await readFile(join(workbench.server.userData, 'User', 'settings.json'), 'utf8');
    assert.equal(JSON.parse(settings)['workbench.tree.indent'], 23);
  });

  it('sets the width of the side bar', async () => {
    await workbench.openChat();
    for (const width of [300, 700, 300]) {
      await workbench.setSidebarWidth(width);
      const box = await workbench.page.locator('.part.sidebar').boundingBox();
      assert.ok(box && Math.abs(box.width - width) <= 5);
    }
  });

  it('sees files that change on disk', async () => {
    assert.ok(workbench.workspace);
    await writeFile(join(workbench.workspace, 'new-file.txt'), 'x\n');
    await workbench.activityTab('Explorer').click();
    await workbench.page.getByRole('treeitem', { name: 'new-file.txt' }).waitFor();
  });
});

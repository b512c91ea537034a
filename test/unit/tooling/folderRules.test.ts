import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

/** Each row: a file, and another that it imports. */
const forbidden = [
  ['src/core/platform/a.ts', 'src/core/conversation/message.ts'],
  ['src/core/conversation/b.ts', 'src/core/prompt/templates.ts'],
  ['src/core/tokens/c.ts', 'src/core/providers/provider.ts'],
  ['src/core/prompt/d.ts', 'src/core/agent/driver.ts'],
  ['src/core/providers/openai-chat/e.ts', 'src/core/agent/events.ts'],
  ['src/core/policy/f.ts', 'src/core/providers/provider.ts'],
  ['src/core/cache/g.ts', 'src/core/providers/anthropic/usage.ts'],
  ['src/core/report/h.ts', 'src/core/providers/provider.ts'],
  ['src/core/agent/i.ts', 'src/core/delegation/child.ts'],
  ['src/core/tools/j.ts', 'src/host/settings.ts'],
  ['src/core/tools/k.ts', 'vscode'],
  ['src/core/agent/l.ts', 'vscode'],
  ['src/core/conversation/m.ts', 'webview/state.ts'],
  ['src/host/chat/n.ts', 'src/extension.ts'],
  ['src/host/o.ts', 'webview/state.ts'],
  ['test/unit/p.ts', 'src/extension.ts'],
  ['webview/q.ts', 'src/core/platform/text.ts'],
  ['webview/items/r.ts', 'src/host/settings.ts'],
  ['webview/s.ts', 'vscode'],
  ['webview/t.ts', 'node:fs'],
  ['src/protocol.ts', 'src/host/settings.ts'],
] as const;

const allowed = [
  ['src/core/conversation/message.ts', 'src/core/platform/text.ts'],
  ['src/core/prompt/preamble.ts', 'src/core/conversation/message.ts'],
  ['src/core/providers/anthropic/provider.ts', 'src/core/providers/provider.ts'],
  ['src/core/agent/turn.ts', 'src/core/compaction/stage.ts'],
  ['src/core/delegation/child.ts', 'src/core/agent/driver.ts'],
  ['src/host/settings.ts', 'src/core/platform/text.ts'],
  ['src/host/view.ts', 'vscode'],
  ['src/extension.ts', 'src/host/settings.ts'],
  ['webview/items/message.ts', 'src/protocol.ts'],
  ['webview/main.ts', 'webview/items/message.ts'],
] as const;

function importOf(file: string, target: string): string {
  if (!target.includes('/')) return target;
  const path = relative(dirname(file), target);
  return path.startsWith('.') ? path : `./${path}`;
}

describe('folder rules', () => {
  let folder: string;
  let reported: Set<string>;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'steiner-rules-')));
    await copyFile('biome.json', join(folder, 'biome.json'));
    for (const [file, target] of [...forbidden, ...allowed]) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(
        join(folder, file),
        `import type * as it from '${importOf(file, target)}';\nexport type It = it.It;\n`,
      );
    }
    const biome = join(process.cwd(), 'node_modules/@biomejs/biome/bin/biome');
    const args = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=200'];
    const output = await promisify(execFile)(process.execPath, [biome, ...args, '--reporter=github'], {
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    reported = new Set(
      [...output.matchAll(/noRestrictedImports,file=([^,]+),/g)].map((match) => relative(folder, match[1] ?? '')),
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [file, target] of forbidden) {
    it(`${file} may not import ${target}`, () => assert.ok(reported.has(file)));
  }

  it('what the design allows is not reported', () => {
    const wrong = allowed.map(([file]) => file).filter((file) => reported.has(file));
    assert.deepEqual(wrong, []);
  });
});

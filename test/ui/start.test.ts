import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openBrowser } from '../../scripts/vscode-host/browser.mjs';
import { hostFolder } from '../../scripts/vscode-host/versions.mjs';

interface Started {
  child: ChildProcess;
  /** Everything it has printed, to either output. */
  printed: () => string;
  /** The line that says what was opened. */
  line: string;
  exitCode: Promise<number | null>;
}

describe('npm start', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steiner-start-'));
    await mkdir(join(folder, 'bin'));
    await mkdir(join(folder, 'home'));
    const code = join(folder, 'bin', 'code');
    await writeFile(code, `#!/bin/sh\nprintf '%s\\n' "$@" "$STEINER_OPEN_CHAT" > '${folder}/arguments'\n`);
    await chmod(code, 0o755);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** With an empty HOME and without a desktop VS Code, unless `path` brings one. */
  async function start(path: string): Promise<Started> {
    const env = { PATH: path, HOME: join(folder, 'home'), STEINER_VSCODE_HOST: dirname(hostFolder()) };
    const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const exitCode = new Promise<number | null>((resolve) => {
      child.on('exit', resolve);
    });
    const line = await new Promise<string>((resolve, reject) => {
      const onData = (data: Buffer) => {
        printed += data.toString();
        const found = /^Steiner is open.*$/m.exec(printed);
        if (found) resolve(found[0]);
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.on('exit', (code) => reject(new Error(`It ended with ${code}: ${printed}`)));
    });
    return { child, printed: () => printed, line, exitCode };
  }

  function pathWithoutCode(): string {
    const folders = (process.env.PATH ?? '').split(':');
    return folders.filter((each) => !existsSync(join(each, 'code'))).join(':');
  }

  it('serves the workbench with the chat open, prints one line, and cleans up on Ctrl+C', async () => {
    const started = await start(pathWithoutCode());
    const browser = await openBrowser();
    const url = /http:\/\/127\.0\.0\.1:\d+\/\?folder=(\S+)/.exec(started.line);
    assert.ok(url?.[1], started.line);
    try {
      const page = await browser.context.newPage();
      await page.goto(url[0]);
      const chat = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
      await chat.getByRole('textbox').first().waitFor({ timeout: 60_000 });
    } finally {
      await browser.close();
      started.child.kill('SIGINT');
    }
    assert.equal(await started.exitCode, 0);
    assert.equal(started.printed(), `${started.line}\n`);
    assert.equal(existsSync(url[1]), false);
    await assert.rejects(fetch(url[0]));
  });

  it('opens desktop VS Code where `code` is on the PATH', async () => {
    const started = await start(`${join(folder, 'bin')}:${pathWithoutCode()}`);
    started.child.kill('SIGINT');
    assert.equal(await started.exitCode, 0);
    assert.equal(started.printed(), `${started.line}\n`);
    const given = (await readFile(join(folder, 'arguments'), 'utf8')).trim().split('\n');
    assert.ok(given.includes(`--extensionDevelopmentPath=${process.cwd()}`), given.join(' '));
    assert.equal(given.at(-1), '1');
    const workspace = given.at(-2) ?? '';
    assert.match(workspace, /sample-workspace$/);
    assert.equal(existsSync(workspace), false);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bashTool } from '../../../src/core/tools/bash.ts';
import { NodeProcesses } from '../../../src/core/tools/nodeProcesses.ts';
import { ToolBench } from './toolBench.ts';

const node = JSON.stringify(process.execPath);

describe('commands', () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = await ToolBench.open();
  });
  afterEach(() => bench.close());

  async function pidIn(file: string): Promise<number> {
    for (let tries = 0; tries < 200; tries++) {
      const text = await readFile(join(bench.root, file), 'utf8').catch(() => '');
      if (text.endsWith('\n')) return Number(text);
      await sleep(10);
    }
    throw new Error(`${file} was never written`);
  }

  it('A1: Stop ends the whole process tree within 2 s, also what ignores SIGTERM or has a session of its own', async () => {
    const script = [
      `sh -c 'echo $$ > child.pid; exec sleep 600' &`,
      `sh -c 'trap "" TERM; echo $$ > deaf.pid; while :; do sleep 1; done' &`,
      `${node} -e "require('child_process').spawn('sleep',['600'],{detached:true,stdio:'ignore'})` +
        `.on('spawn',function(){require('fs').writeFileSync('detached.pid',this.pid+'\\n')});setInterval(()=>0,999)" &`,
      'wait',
    ].join('\n');
    const stop = new AbortController();
    const running = bench.run('bash', { command: script }, stop.signal);
    const pids = await Promise.all(['child.pid', 'deaf.pid', 'detached.pid'].map(pidIn));
    assert.deepEqual(pids.map(isAlive), [true, true, true]);

    const from = performance.now();
    stop.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/);
    assert.ok(performance.now() - from < 500, 'the call ends at once');
    while (pids.some(isAlive) && performance.now() - from < 2_000) await sleep(20);
    assert.deepEqual(pids.map(isAlive), [false, false, false]);
  });

  it('A1: Stop also ends what lost its parent, and what is started while the others are asked to end', async () => {
    const onTerm =
      `require('child_process').spawn('sleep',['600'],{detached:true,stdio:'ignore'})` +
      `.on('spawn',function(){require('fs').writeFileSync('late.pid',this.pid+'\\n')})`;
    const script = [
      '(sleep 600 & echo $! > orphan.pid)',
      `${node} -e "process.on('SIGTERM',()=>{${onTerm}});require('fs').writeFileSync('deaf.pid',process.pid+'\\n');setInterval(()=>0,999)" &`,
      'wait',
    ].join('\n');
    const stop = new AbortController();
    const running = bench.run('bash', { command: script }, stop.signal);
    const pids = await Promise.all(['orphan.pid', 'deaf.pid'].map(pidIn));
    const from = performance.now();
    stop.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/);
    pids.push(await pidIn('late.pid'));
    while (pids.some(isAlive) && performance.now() - from < 2_000) await sleep(20);
    assert.deepEqual(pids.map(isAlive), [false, false, false]);
  });

  it('A1: a program run without a shell is ended by Stop too', async () => {
    const stop = new AbortController();
    const args = ['-e', `require('fs').writeFileSync('own.pid',process.pid+'\\n');setInterval(()=>0,999)`];
    const options = { cwd: bench.root, timeoutMs: 60_000, signal: stop.signal, maxOutputBytes: 1_000 };
    const running = bench.context.processes.run(process.execPath, args, options);
    const pid = await pidIn('own.pid');
    stop.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/);
    for (const from = performance.now(); isAlive(pid) && performance.now() - from < 2_000; ) await sleep(20);
    assert.equal(isAlive(pid), false);
  });

  it('A1: a stop that came before the start runs nothing to its end', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(bench.run('bash', { command: 'sleep 600' }, signal), /stopped/);
  });

  it('ends the tree at the time limit and keeps the output so far', async () => {
    const from = performance.now();
    const command = `sh -c 'echo $$ > child.pid; exec sleep 600' & echo begun; wait`;
    const { status, content, detail } = await bench.run('bash', { command, timeout: 1 });
    assert.ok(performance.now() - from < 3_000);
    assert.equal(status, 'error');
    assert.equal(content, 'begun\n[Ended after 1 s: the time limit.]');
    assert.equal(detail?.exitCode, undefined);
    const pid = await pidIn('child.pid');
    assert.equal(isAlive(pid), false);
  });

  it('returns when the command is over, though a process it left behind holds the pipes', async () => {
    const from = performance.now();
    const { content } = await bench.run('bash', { command: 'sleep 30 & echo $! > left.pid; echo done' });
    assert.equal(content, 'done');
    assert.ok(performance.now() - from < 5_000);
    process.kill(await pidIn('left.pid'));
  });

  it('a command that ended within the time limit is not out of time, though its pipes are held beyond it', async () => {
    const command = 'sleep 0.7; sleep 30 & echo $! > left.pid; echo done';
    const { status, content } = await bench.run('bash', { command, timeout: 1 });
    const pid = await pidIn('left.pid');
    assert.ok(isAlive(pid));
    process.kill(pid);
    assert.equal(content, 'done');
    assert.equal(status, 'ok');
  });

  it('a command is one argument: nothing in it is read by another shell than the user’s', async () => {
    const command = `printf '%s|' "$0x" '$1' "a  b" 'quo"te'; printf '%s' '\\'`;
    assert.match((await bench.run('bash', { command })).content, /x\|\$1\|a {2}b\|quo"te\|\\$/);
  });

  it('A4c: a command that prints nothing says so', async () => {
    assert.equal((await bench.run('bash', { command: 'true' })).content, '[The command printed nothing.]');
    assert.equal((await bench.run('bash', { command: 'echo "  "' })).content, '[The command printed nothing.]');
    assert.equal((await bench.run('bash', { command: 'exit 3' })).content, '[Exit code 3.]');
  });

  it('returns all output with the exit code, stdout and stderr in the order they were written', async () => {
    const command = 'for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done; exit 7';
    const { status, content, detail } = await bench.run('bash', { command });
    assert.equal(status, 'error');
    const written = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) => [`o${number}`, `e${number}`]);
    assert.deepEqual(content.split('\n'), [...written, '[Exit code 7.]']);
    assert.equal(detail?.exitCode, 7);
    const long = await bench.run('bash', { command: 'seq 1 200000' });
    assert.equal(long.content.split('\n').length, 200_000);
    assert.ok(long.content.endsWith('\n200000'));
    assert.equal(bench.progress.at(-1)?.endsWith('200000\n'), true);
  });

  it('A17: a character split across two chunks of the pipe arrives whole, on each pipe by itself', async () => {
    const bytes = "const b=Buffer.from('\u{1f4c1}é');";
    const write = (pipe: string) =>
      `process.${pipe}.write(b.subarray(0,2));setTimeout(()=>process.${pipe}.write(b.subarray(2)),150);`;
    const { content } = await bench.run('bash', { command: `${node} -e "${bytes}${write('stdout')}"` });
    assert.equal(content, '\u{1f4c1}é');
    const args = ['-e', `${bytes}${write('stdout')}${write('stderr')}`];
    const options = { cwd: tmpdir(), timeoutMs: 5_000, signal: bench.context.signal, maxOutputBytes: 1_000 };
    const { output } = await bench.context.processes.run(process.execPath, args, options);
    assert.equal(output, '\u{1f4c1}é\u{1f4c1}é');
  });

  it('an endless output is ended at its limit and says so', async () => {
    const processes = new NodeProcesses({ env: { PATH: process.env.PATH ?? '' }, maxShellOutputBytes: 100_000 });
    const context = { ...bench.context, processes };
    const { status, content } = await bashTool.execute({ command: 'yes' }, context);
    assert.equal(status, 'error');
    assert.ok(content.length > 100_000 && content.length < 400_000);
    assert.match(content, /\n\[Ended: it printed more than can be kept\. Send long output to a file\.\]$/);
  });

  it('A17: output that is ended in the middle of a character ends before it', async () => {
    // Seven bytes a line, so the chunks of a pipe, and with them the end, fall between any two of them.
    for (const maxShellOutputBytes of [10_000, 100_000, 150_000, 200_000, 250_000, 300_000, 350_000]) {
      const processes = new NodeProcesses({ env: { PATH: process.env.PATH ?? '' }, maxShellOutputBytes });
      const { content } = await bashTool.execute({ command: 'yes 漢字' }, { ...bench.context, processes });
      assert.doesNotMatch(content, /\ufffd/);
    }
    // What the program itself left unfinished is shown as such.
    assert.equal((await bench.run('bash', { command: `printf 'a\\346\\274'` })).content, 'a\ufffd');
  });

  it('runs in the shell of the user, which is the one the model is told of', async function () {
    if (!existsSync('/bin/bash')) {
      console.warn('    SKIPPED: this machine has no /bin/bash');
      this.skip();
    }
    const processes = new NodeProcesses({ env: { PATH: process.env.PATH ?? '', SHELL: '/bin/bash' } });
    const { content } = await bashTool.execute(
      { command: '[[ bash == b* ]] && echo bash' },
      { ...bench.context, processes },
    );
    assert.equal(content, 'bash');
  });

  it('has no input: a command that asks gets the end of file', async () => {
    assert.match((await bench.run('bash', { command: 'read answer || echo none' })).content, /^none/);
  });

  it('a program that cannot be started is an error, and arguments never meet a shell', async () => {
    const options = { cwd: tmpdir(), timeoutMs: 5_000, signal: bench.context.signal, maxOutputBytes: 1_000 };
    await assert.rejects(bench.context.processes.run('/nowhere/at/all', [], options), /ENOENT/);
    const { output } = await bench.context.processes.run(process.execPath, ['-p', 'process.argv[1]', '$(id)'], options);
    assert.equal(output, '$(id)\n');
  });
});

/** A process that has ended but was not yet collected by its new parent does not count. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

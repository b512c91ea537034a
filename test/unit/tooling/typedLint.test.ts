import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const planted = {
  'src/floating.ts': 'async function save(): Promise<void> {}\nexport function stop(): void {\n  save();\n}\n',
  'src/any.ts': 'export function pass(value: any): boolean {\n  return value === 1;\n}\n',
  'src/forgottenCase.ts':
    "type Kind = 'a' | 'b';\nexport function name(kind: Kind): string {\n  switch (kind) {\n    case 'a':\n      return 'A';\n  }\n  return '';\n}\n",
  'src/cycleOne.ts': "import { two } from './cycleTwo.ts';\nexport const one = (): number => two() + 1;\n",
  'src/cycleTwo.ts':
    "import { one } from './cycleOne.ts';\nexport const two = (): number => (Math.random() > 2 ? one() : 2);\n",
  'src/good.ts': 'export async function wait(): Promise<void> {\n  await Promise.resolve();\n}\n',
};

describe('lint with types', () => {
  let folder: string;
  let output: string;

  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'steiner-lint-'));
    await copyFile('.oxlintrc.json', join(folder, '.oxlintrc.json'));
    const compilerOptions = {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'), 'dir');
    await mkdir(join(folder, 'src'));
    for (const [file, text] of Object.entries(planted)) await writeFile(join(folder, file), text);
    const oxlint = join(process.cwd(), 'node_modules/oxlint/bin/oxlint');
    output = await promisify(execFile)(process.execPath, [oxlint, '--type-aware', '--format=unix', 'src'], {
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [file, rule] of [
    ['src/floating.ts', 'no-floating-promises'],
    ['src/any.ts', 'no-explicit-any'],
    ['src/forgottenCase.ts', 'switch-exhaustiveness-check'],
    ['src/cycleOne.ts', 'no-cycle'],
  ] as const) {
    it(`${rule} is found`, () => {
      const lines = output.split('\n').filter((line) => line.includes(file));
      assert.ok(
        lines.some((line) => line.includes(rule)),
        output,
      );
    });
  }

  it('clean code is not reported', () => assert.ok(!output.includes('good.ts'), output));
});

// Builds the two bundles the extension ships (host, webview) and, with --tests, the compiled test suites.
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, context } from 'esbuild';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const shared = {
  bundle: true,
  sourcemap: !production,
  minify: production,
  logLevel: 'warning',
  legalComments: 'linked',
  loader: { '.md': 'text' },
};

/** The extension host: CommonJS, because VS Code loads `main` with require(). */
const hostBundle = {
  ...shared,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
};

const webviewBundle = {
  ...shared,
  entryPoints: { chat: 'webview/main.ts', styles: 'webview/styles/chat.css' },
  outdir: 'dist/webview',
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  loader: { ...shared.loader, '.ttf': 'file' },
};

/** Unit suites and the rig run under plain Node as ES modules; npm packages stay outside the bundles. */
async function unitTestBundle() {
  const entries = await testFiles('test/unit', 'test/rig', 'test/bench');
  return {
    ...shared,
    minify: false,
    sourcemap: 'inline',
    entryPoints: entries,
    outdir: 'out',
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    splitting: true,
    chunkNames: 'out/chunks/[name]-[hash]',
  };
}

/** The in-host suite is loaded by the extension host with require(). */
const hostTestBundle = {
  ...shared,
  minify: false,
  sourcemap: 'inline',
  entryPoints: ['test/host/index.ts'],
  outfile: 'out/test/host/index.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', 'mocha'],
};

/** UI suites drive a browser from plain Node. */
async function uiTestBundle() {
  return { ...(await unitTestBundle()), entryPoints: await testFiles('test/ui') };
}

async function testFiles(...folders) {
  const found = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isFile() && /\.(test|bench|main)\.ts$/.test(entry.name)) found.push(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  return found;
}

async function copyMedia() {
  await mkdir('dist/webview', { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) {
    await cp(`node_modules/@vscode/codicons/dist/${file}`, `dist/webview/${file}`);
  }
}

if (flags.has('--watch')) {
  await copyMedia();
  const contexts = await Promise.all([context(hostBundle), context(webviewBundle)]);
  await Promise.all(contexts.map((each) => each.watch()));
} else if (flags.has('--tests')) {
  // Which suites to build: --unit, --host, --ui; all when none is named.
  const all = !flags.has('--unit') && !flags.has('--host') && !flags.has('--ui');
  const bundles = [];
  if (all || flags.has('--unit')) bundles.push(await unitTestBundle());
  if (all || flags.has('--host')) bundles.push(hostTestBundle);
  if (all || flags.has('--ui')) bundles.push(await uiTestBundle());
  await Promise.all(bundles.filter((bundle) => bundle.entryPoints.length > 0).map((bundle) => build(bundle)));
} else {
  await rm('dist', { recursive: true, force: true });
  await copyMedia();
  await Promise.all([build(hostBundle), build(webviewBundle)]);
}

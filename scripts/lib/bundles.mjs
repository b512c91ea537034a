// Every esbuild bundle of the project, as plain option objects.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** @type {import('esbuild').BuildOptions} */
const shared = { bundle: true, logLevel: 'warning', legalComments: 'linked', loader: { '.md': 'text' } };

/**
 * The extension host: CommonJS, because VS Code loads `main` with require().
 * @param {boolean} production
 * @returns {import('esbuild').BuildOptions}
 */
export function hostBundle(production) {
  return {
    ...shared,
    sourcemap: !production,
    minify: production,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
  };
}

/**
 * @param {boolean} production
 * @returns {import('esbuild').BuildOptions}
 */
export function webviewBundle(production) {
  return {
    ...shared,
    sourcemap: !production,
    minify: production,
    entryPoints: { chat: 'webview/main.ts', styles: 'webview/styles/chat.css' },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    loader: { ...shared.loader, '.ttf': 'file' },
  };
}

/**
 * Suites for plain Node (unit, rig, UI drivers) as ES modules; npm packages stay outside the bundles.
 * @param {string[]} entryPoints
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions}
 */
export function nodeTestBundle(entryPoints, outdir) {
  return {
    ...shared,
    sourcemap: 'inline',
    entryPoints,
    outdir,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  };
}

/**
 * The in-host suite: the extension host loads it with require().
 * @returns {import('esbuild').BuildOptions}
 */
export function hostTestBundle() {
  return {
    ...shared,
    sourcemap: 'inline',
    entryPoints: ['test/host/index.ts'],
    outfile: 'out/test/host/index.js',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    plugins: [hostSuites],
  };
}

/**
 * Resolves `steiner:host-suites` to one import per suite file, so that a new suite needs no list to be kept.
 * @type {import('esbuild').Plugin}
 */
const hostSuites = {
  name: 'host-suites',
  setup(build) {
    build.onResolve({ filter: /^steiner:host-suites$/ }, ({ path }) => ({ path, namespace: 'host-suites' }));
    build.onLoad({ filter: /.*/, namespace: 'host-suites' }, async () => {
      const files = await testFiles('test/host/suites');
      return { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: '.' };
    });
  },
};

/**
 * All `*.test.ts` files below the given folders (a file names itself).
 * @param {string[]} roots
 */
export async function testFiles(...roots) {
  /** @type {string[]} */
  const found = [];
  for (const root of roots) {
    if ((await stat(root)).isFile()) {
      found.push(root);
      continue;
    }
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith('.test.ts'))
        found.push(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  return found.sort();
}

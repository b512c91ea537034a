// Builds the two bundles that the extension ships. Flags: --production (minified), --watch.
import { cp, mkdir, rm } from 'node:fs/promises';
import { build, context } from 'esbuild';
import { hostBundle, webviewBundle } from './scripts/lib/bundles.mjs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

async function copyCodicons() {
  await mkdir('dist/webview', { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) {
    await cp(`node_modules/@vscode/codicons/dist/${file}`, `dist/webview/${file}`);
  }
}

await rm('dist', { recursive: true, force: true });
await copyCodicons();
if (flags.has('--watch')) {
  const contexts = await Promise.all([context(hostBundle(false)), context(webviewBundle(false))]);
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  await Promise.all([build(hostBundle(production)), build(webviewBundle(production))]);
}

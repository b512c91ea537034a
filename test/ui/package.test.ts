import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

const shipped = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package\.json|readme\.md|LICENSE\.txt)$/,
  /^extension\/dist\/extension\.js(\.LEGAL\.txt)?$/,
  /^extension\/dist\/webview\/(chat\.js|chat\.js\.LEGAL\.txt|styles\.css|codicon\.css|codicon\.ttf)$/,
  /^extension\/media\/[\w-]+\.(svg|png)$/,
];

/** Names in the zip's central directory: each record starts with PK 1 2, its name is 46 bytes on. */
function namesInZip(zip: Buffer): string[] {
  const names: string[] = [];
  const count = zip.readUInt16LE(zip.lastIndexOf('PK\x05\x06') + 10);
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06') + 16);
  for (let index = 0; index < count; index++) {
    const nameLength = zip.readUInt16LE(at + 28);
    names.push(zip.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}

describe('the package', () => {
  let names: string[];
  before(async () => {
    names = namesInZip(await readFile(process.env.STEINER_VSIX ?? 'out/steiner.vsix'));
  });

  it('holds nothing but what the extension needs', () => {
    const others = names.filter((name) => !shipped.some((pattern) => pattern.test(name)));
    assert.deepEqual(others, []);
  });

  it('holds everything that the extension needs', () => {
    for (const name of ['package.json', 'readme.md', 'LICENSE.txt', 'dist/extension.js', 'dist/webview/chat.js']) {
      assert.ok(names.includes(`extension/${name}`), `${name} is missing in ${names.join(', ')}`);
    }
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation in the extension host', () => {
  it('activates without an error', async () => {
    const extension = vscode.extensions.getExtension('steiner.steiner');
    assert.ok(extension, 'steiner.steiner is not known to VS Code');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('opens the chat view on request', async () => {
    await vscode.commands.executeCommand('steiner.openChat');
  });

  it('writes nothing into the workspace', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const names = (await vscode.workspace.fs.readDirectory(folder.uri)).map(([name]) => name);
    assert.deepEqual(names.sort(), ['.steiner', 'AGENTS.md', 'README.md', 'package.json', 'src', 'test']);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('the extension under development activates without an error', async () => {
    const extension = vscode.extensions.getExtension('steiner.steiner');
    assert.ok(extension, 'steiner.steiner is not known to VS Code');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('focusing the chat view opens it', async () => {
    await vscode.commands.executeCommand('steiner.chat.focus');
  });
});

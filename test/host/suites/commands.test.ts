import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contributes } from '../../../package.json';

describe('commands', () => {
  let registered: Set<string>;
  before(async () => {
    await vscode.extensions.getExtension('steiner.steiner')?.activate();
    registered = new Set(await vscode.commands.getCommands(true));
  });

  for (const { command, title, category } of contributes.commands) {
    it(`${category}: ${title} is registered`, () => {
      assert.ok(registered.has(command), command);
      assert.equal(category, 'Steiner');
    });
  }

  it('a key binding or menu names no command that does not exist', () => {
    const named = [...contributes.keybindings, ...Object.values(contributes.menus).flat()].map((each) => each.command);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((command) => !registered.has(command)),
      [],
    );
  });
});

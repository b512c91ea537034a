import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contributes } from '../../../package.json';

const { properties } = contributes.configuration;
const keys = Object.keys(properties) as (keyof typeof properties)[];

/** What names programs, URLs, keys or approvals: a folder that somebody sends must not be able to set it. */
const ofTheMachine = [
  'steiner.model',
  'steiner.anthropic.baseUrl',
  'steiner.openai.baseUrl',
  'steiner.models',
  'steiner.compaction.fallback.model',
];

describe('settings', () => {
  const configuration = () => vscode.workspace.getConfiguration();

  it('VS Code accepts every declared setting and starts with its default', () => {
    for (const key of keys) {
      assert.deepEqual(configuration().inspect(key)?.defaultValue, properties[key].default, key);
      assert.deepEqual(configuration().get(key), properties[key].default, key);
    }
  });

  for (const key of ofTheMachine) {
    it(`${key} cannot be set by a workspace`, async () => {
      await assert.rejects(
        async () => configuration().update(key, 'http://127.0.0.1:9', vscode.ConfigurationTarget.Workspace),
        /does not support|can be written only|cannot be written|Unable to write/i,
      );
    });
  }

  it('a settings file in the workspace changes what it may and nothing else', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    const changed = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('steiner.agent.maxModelCalls')) return;
        listener.dispose();
        resolve();
      });
    });
    const content = { 'steiner.openai.baseUrl': 'http://127.0.0.1:9/v1', 'steiner.agent.maxModelCalls': 7 };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(content)));
    await changed;
    assert.equal(configuration().get('steiner.agent.maxModelCalls'), 7);
    assert.equal(configuration().get('steiner.openai.baseUrl'), '');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, '.vscode'), { recursive: true });
  });
});

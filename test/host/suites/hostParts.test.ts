import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { ApiKeys } from '../../../src/host/apiKeys.ts';
import { ReadOnlyDocuments } from '../../../src/host/readOnlyDocuments.ts';
import { findRipgrep } from '../../../src/host/ripgrep.ts';
import { until } from '../../rig/until.ts';
import { withEnvironment } from '../environment.ts';

describe('ripgrep', () => {
  it('the one that VS Code ships is found and runs', async () => {
    const path = await findRipgrep(vscode.env.appRoot);
    assert.ok(path);
    assert.ok(path.startsWith(vscode.env.appRoot), path);
    const { stdout } = await promisify(execFile)(path, ['--version']);
    assert.match(stdout, /^ripgrep \d+\./);
  });

  it('an installation without it gives undefined', async () => {
    assert.equal(await findRipgrep('/nowhere'), undefined);
  });
});

describe('read-only documents', () => {
  // The extension has claimed the scheme `steiner` in this window; two providers of one scheme are tried in turn.
  let documents: ReadOnlyDocuments;
  before(() => {
    documents = new ReadOnlyDocuments();
  });
  after(async () => {
    documents.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const shown = () => {
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    return editor;
  };

  it('show text in a tab that is never dirty and cannot be typed into', async () => {
    await documents.show('Report.md', '# Report\n');
    assert.equal(shown().document.getText(), '# Report\n');
    assert.equal(shown().document.languageId, 'markdown');
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(shown().document.getText(), '# Report\n');
    assert.equal(shown().document.isDirty, false);
  });

  it('the same name shows the new text', async () => {
    await documents.show('Report.md', '# Newer\n');
    await until(() => shown().document.getText() === '# Newer\n', 'the tab shows the new text');
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.equal(tabs.filter((tab) => tab.label === 'Report.md').length, 1);
  });

  it('the fifty-first text pushes out the first, which says so', async () => {
    for (let n = 1; n <= 50; n++) await documents.show(`${n}.txt`, `text ${n}`);
    const gone = vscode.Uri.from({ scheme: 'steiner', path: '/Report.md' });
    assert.match(documents.provideTextDocumentContent(gone), /no longer kept/);
    assert.equal(documents.provideTextDocumentContent(gone.with({ path: '/50.txt' })), 'text 50');
  });
});

describe('API keys', () => {
  /** VS Code's own secret storage belongs to the extension that runs in this window. */
  const secrets = (stored: Record<string, string>): vscode.SecretStorage => ({
    get: async (key) => stored[key],
    store: async () => undefined,
    delete: async () => undefined,
    onDidChange: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event,
  });
  const stored = { 'steiner.anthropic.apiKey': 'stored-key' };

  it('the stored key comes first', () =>
    withEnvironment({ ANTHROPIC_API_KEY: 'from-the-environment' }, async () => {
      assert.equal(await new ApiKeys(secrets(stored)).get('anthropic'), 'stored-key');
    }));

  it('the environment is the fallback, for each provider its own variable', () =>
    withEnvironment({ ANTHROPIC_API_KEY: ' a-key ', OPENAI_API_KEY: 'o-key' }, async () => {
      const keys = new ApiKeys(secrets({}));
      assert.equal(await keys.get('anthropic'), 'a-key');
      assert.equal(await keys.get('openai'), 'o-key');
    }));

  it('an empty variable is no key, and the offline model has none', () =>
    withEnvironment({ ANTHROPIC_API_KEY: '  ', OPENAI_API_KEY: undefined }, async () => {
      const keys = new ApiKeys(secrets({}));
      assert.equal(await keys.get('anthropic'), undefined);
      assert.equal(await keys.get('openai'), undefined);
      assert.equal(await new ApiKeys(secrets(stored)).get('offline'), undefined);
    }));
});

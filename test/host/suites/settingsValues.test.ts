import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contributes } from '../../../package.json';
import { formatModelId, parseModelId } from '../../../src/core/conversation/modelId.ts';
import { settings } from '../../../src/host/settings.ts';
import { withEnvironment } from '../environment.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;
const section = () => vscode.workspace.getConfiguration('steiner');

describe('settings as the code reads them', () => {
  const changed = ['model', 'anthropic.baseUrl', 'openai.baseUrl', 'models', 'thinkingBudget'];
  afterEach(async () => {
    for (const key of changed) await section().update(key, undefined, Global);
    await section().update('agent.maxModelCalls', undefined, Workspace);
  });
  after(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const made = vscode.Uri.joinPath(folder.uri, '.vscode');
    await vscode.workspace.fs.delete(made, { recursive: true }).then(undefined, () => undefined);
  });

  it('A28: what names a model, a server or a skill has machine scope', () => {
    const { properties } = contributes.configuration;
    for (const key of [
      'steiner.model',
      'steiner.models',
      'steiner.anthropic.baseUrl',
      'steiner.openai.baseUrl',
      'steiner.skills.enabledByDefault',
    ] as const) {
      assert.equal(properties[key].scope, 'machine', key);
    }
  });

  it('every getter gives the default of package.json', () =>
    withEnvironment({ ANTHROPIC_BASE_URL: undefined, OPENAI_BASE_URL: undefined }, () => {
      assert.deepEqual(settings.model(), { provider: 'offline', model: 'offline' });
      for (const provider of ['anthropic', 'openai', 'offline'] as const) {
        assert.equal(settings.baseUrl(provider), undefined);
      }
      assert.deepEqual(settings.modelOverrides(), {});
      assert.equal(settings.thinkingBudget(), 0);
      assert.equal(settings.compactionThresholdTokens(), 0);
      assert.equal(settings.maxModelCalls(), 200);
      assert.deepEqual(settings.disabledInstructionFiles(), []);
      assert.deepEqual(settings.skillsEnabledByDefault(), []);
    }));

  it('the base URL is the setting, else the variable; white space is no URL', () =>
    withEnvironment({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', OPENAI_BASE_URL: ' ' }, async () => {
      assert.equal(settings.baseUrl('anthropic'), 'http://127.0.0.1:1');
      assert.equal(settings.baseUrl('openai'), undefined);
      await section().update('anthropic.baseUrl', ' http://127.0.0.1:2 ', Global);
      assert.equal(settings.baseUrl('anthropic'), 'http://127.0.0.1:2');
      assert.equal(settings.baseUrl('offline'), undefined);
    }));

  it('the chosen model is kept in the user’s settings', async () => {
    const ref = { provider: 'openai', model: 'org/team/model' } as const;
    await settings.setModel(ref);
    assert.equal(section().inspect('model')?.globalValue, 'openai/org/team/model');
    assert.deepEqual(settings.model(), ref);
  });

  it('a model id that cannot be read gives the offline model', async () => {
    await section().update('model', 'nobody/nothing', Global);
    assert.deepEqual(settings.model(), { provider: 'offline', model: 'offline' });
  });

  it('a workspace may set how far the agent goes', async () => {
    await section().update('agent.maxModelCalls', 3, Workspace);
    assert.equal(settings.maxModelCalls(), 3);
  });

  describe('model ids', () => {
    it('parse and format are each other’s inverse', () => {
      for (const id of ['anthropic/claude-sonnet-5-5', 'openai/org/model:7b', 'offline/offline']) {
        const ref = parseModelId(id);
        assert.ok(ref, id);
        assert.equal(formatModelId(ref), id);
      }
    });

    it('no provider, an unknown one, or no model: undefined', () => {
      for (const id of ['', 'gpt-6', '/gpt-6', 'nobody/gpt-6', 'openai/', 'openai/  ', 'OpenAI/gpt-6']) {
        assert.equal(parseModelId(id), undefined, id);
      }
    });
  });
});

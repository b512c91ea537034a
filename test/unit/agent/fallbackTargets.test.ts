import assert from 'node:assert/strict';
import { type FallbackModels, FallbackTargets } from '../../../src/core/agent/fallbackTargets.ts';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { OpenAiChatProvider } from '../../../src/core/providers/openai-chat/provider.ts';
import { modelLimits } from '../../../src/core/tokens/limits.ts';

const mini: ModelRef = { provider: 'openai', model: 'gpt-6-mini' };
const other: ModelRef = { provider: 'openai', model: 'gpt-6' };

/** Counts builds; the first `failures` of them fail. */
function countedModels(failures = 0): FallbackModels & { builds: number; window: number } {
  return {
    builds: 0,
    window: 100_000,
    capabilities(ref) {
      return modelLimits(ref.provider, ref.model, { contextWindow: this.window });
    },
    async access(ref) {
      this.builds += 1;
      if (this.builds <= failures) throw new Error('no key');
      const provider = new OpenAiChatProvider({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9', ids: (prefix) => prefix });
      return { ref, provider, capabilities: this.capabilities(ref), thinkingBudget: 0 };
    },
  };
}

describe('fallback targets', () => {
  it('are built once for the same provider, model and cache scope', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    const first = await targets.get(mini, 'session');
    const again = await targets.get({ ...mini }, 'session');
    assert.equal(again.provider, first.provider);
    assert.equal(models.builds, 1);
  });

  it('another model or another cache scope is another target', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    const first = await targets.get(mini, 'session');
    assert.notEqual((await targets.get(other, 'session')).provider, first.provider);
    assert.notEqual((await targets.get(mini, 'child')).provider, first.provider);
    assert.equal(models.builds, 3);
  });

  it('a failed build is not kept', async () => {
    const models = countedModels(1);
    const targets = new FallbackTargets(models);
    await assert.rejects(targets.get(mini, 'session'), /no key/);
    assert.equal((await targets.get(mini, 'session')).ref, mini);
    assert.equal(models.builds, 2);
  });

  it('limits are resolved at every compaction; only the built provider is kept', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    assert.equal((await targets.get(mini, 'session')).capabilities.contextWindow, 100_000);
    models.window = 50_000;
    assert.equal((await targets.get(mini, 'session')).capabilities.contextWindow, 50_000);
    assert.equal(models.builds, 1);
  });

  it('are built anew after a key or an address changed', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    const first = await targets.get(mini, 'session');
    targets.clear();
    assert.notEqual((await targets.get(mini, 'session')).provider, first.provider);
  });
});

import assert from 'node:assert/strict';
import { type FallbackModels, FallbackTargets } from '../../../src/core/agent/fallbackTargets.ts';
import type { ModelAccess } from '../../../src/core/agent/modelAccess.ts';
import { OpenAiChatProvider } from '../../../src/core/providers/openai-chat/provider.ts';
import { modelLimits } from '../../../src/core/tokens/limits.ts';

const mini = 'openai/gpt-6-mini';
const other = 'openai/gpt-6';

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

async function resolved(targets: FallbackTargets, model: string, cacheScope: string): Promise<ModelAccess> {
  const choice = targets.choose({ model, idleMinutes: 5 }, cacheScope);
  return choice ? choice.resolve() : assert.fail('no fallback is set');
}

describe('fallback targets', () => {
  it('the setting gives minutes; an empty model is no fallback; one that names no model cannot be resolved', async () => {
    const targets = new FallbackTargets(countedModels());
    assert.equal(targets.choose({ model: mini, idleMinutes: 1.5 }, 's')?.after, 90_000);
    assert.equal(targets.choose({ model: ' ', idleMinutes: 5 }, 's'), undefined);
    await assert.rejects(resolved(targets, 'no-slash', 's'), /names no model: "no-slash"/);
  });

  it('are built once for the same provider, model and cache scope', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    const first = await resolved(targets, mini, 'session');
    const again = await resolved(targets, ` ${mini} `, 'session');
    assert.equal(again.provider, first.provider);
    assert.equal(models.builds, 1);
  });

  it('another model or another cache scope is another target', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    const first = await resolved(targets, mini, 'session');
    assert.notEqual((await resolved(targets, other, 'session')).provider, first.provider);
    assert.notEqual((await resolved(targets, mini, 'child')).provider, first.provider);
    assert.equal(models.builds, 3);
  });

  it('a failed build is not kept', async () => {
    const models = countedModels(1);
    const targets = new FallbackTargets(models);
    await assert.rejects(resolved(targets, mini, 'session'), /no key/);
    assert.equal((await resolved(targets, mini, 'session')).ref.model, 'gpt-6-mini');
    assert.equal(models.builds, 2);
  });

  it('limits are resolved at every compaction; only the built provider is kept', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    assert.equal((await resolved(targets, mini, 'session')).capabilities.contextWindow, 100_000);
    models.window = 50_000;
    assert.equal((await resolved(targets, mini, 'session')).capabilities.contextWindow, 50_000);
    assert.equal(models.builds, 1);
  });

  it('are built anew after a key or an address changed', async () => {
    const models = countedModels();
    const targets = new FallbackTargets(models);
    const first = await resolved(targets, mini, 'session');
    targets.clear();
    assert.notEqual((await resolved(targets, mini, 'session')).provider, first.provider);
  });
});

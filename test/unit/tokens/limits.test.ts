import assert from 'node:assert/strict';
import { knownModels, modelLimits } from '../../../src/core/tokens/limits.ts';

describe('model limits', () => {
  it('knows the models of the table, dated ids included', () => {
    const plain = modelLimits('anthropic', 'claude-sonnet-4-5');
    assert.deepEqual(
      [plain.contextWindow, plain.maxOutputTokens, plain.cache.kind, plain.thinking, plain.assumed],
      [200_000, 64_000, 'explicit', true, false],
    );
    assert.deepEqual(modelLimits('anthropic', 'claude-sonnet-4-5-20250929'), plain);
    assert.equal(modelLimits('anthropic', 'claude-opus-5-5').contextWindow, 1_000_000);
    assert.equal(modelLimits('openai', 'gpt-5.2-2025-12-11').contextWindow, 400_000);
    assert.equal(modelLimits('openai', 'gpt-6.2-sol').cache.ttlMs, 30 * 60_000);
  });

  it('gives an unknown id cautious figures and says that they are assumed', () => {
    const claude = modelLimits('anthropic', 'claude-sonnet-4-5-experimental');
    assert.deepEqual([claude.contextWindow, claude.maxOutputTokens, claude.assumed], [200_000, 8_192, true]);
    const local = modelLimits('openai', 'qwen3-coder:30b');
    assert.deepEqual([local.contextWindow, local.maxOutputTokens, local.assumed], [32_768, 4_096, true]);
    assert.equal(local.cache.kind, 'none');
  });

  it("takes the vendor's limits for an id that a router prefixed, still as an assumption", () => {
    const routed = modelLimits('openai', 'anthropic/claude-opus-5-5');
    assert.deepEqual([routed.contextWindow, routed.assumed, routed.cache.kind], [1_000_000, true, 'none']);
  });

  it('lets the user override each figure, and ignores nonsense', () => {
    const limits = modelLimits('openai', 'my-model', { contextWindow: 131_072 });
    assert.deepEqual([limits.contextWindow, limits.maxOutputTokens, limits.assumed], [131_072, 4_096, false]);
    const nonsense = modelLimits('openai', 'my-model', { contextWindow: -1, maxOutputTokens: Number.NaN });
    assert.deepEqual([nonsense.contextWindow, nonsense.maxOutputTokens, nonsense.assumed], [32_768, 4_096, true]);
  });

  it('lists every model once, and each of them with limits that leave room for a prompt', () => {
    for (const provider of ['anthropic', 'openai', 'offline'] as const) {
      const models = knownModels(provider);
      assert.equal(new Set(models).size, models.length);
      for (const model of models) {
        const limits = modelLimits(provider, model);
        assert.equal(limits.assumed, false, model);
        assert.ok(limits.maxOutputTokens < limits.contextWindow, model);
      }
    }
    assert.deepEqual(knownModels('offline'), ['offline']);
  });
});

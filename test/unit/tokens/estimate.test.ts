import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { ModelRef, ModelRequest, RequestMessage } from '../../../src/core/conversation/request.ts';
import { claudeTokens } from '../../../src/core/tokens/claudeTokens.ts';
import { estimateRequest, estimateText } from '../../../src/core/tokens/estimate.ts';
import { loadO200k } from '../../../src/core/tokens/o200k.ts';
import { statisticalTokens } from '../../../src/core/tokens/statisticalTokens.ts';

const older: ModelRef = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
const newer: ModelRef = { provider: 'anthropic', model: 'claude-opus-5-5' };
const gpt: ModelRef = { provider: 'openai', model: 'gpt-5.2' };
const local: ModelRef = { provider: 'openai', model: 'qwen3-coder:30b' };
const offline: ModelRef = { provider: 'offline', model: 'offline' };

type Counts = Record<'claude-3-to-4.6' | 'claude-4.7-and-later' | 'o200k', number>;
const fixtures = 'test/fixtures/token-counts';
const counts = JSON.parse(readFileSync(`${fixtures}/counts.json`, 'utf8')) as Record<string, Counts>;
const textOf = (name: string) => readFileSync(`${fixtures}/${name}.txt`, 'utf8');

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    system: [],
    tools: [],
    messages: [],
    maxOutputTokens: 100,
    breakpoints: [],
    cacheKey: 'k',
    ...change,
  };
}

const said = (text: string): RequestMessage => ({ role: 'user', content: [{ type: 'text', text }] });

function assertWithin(actual: number, truth: number, name: string): void {
  const error = actual / truth - 1;
  assert.ok(error >= -0.1 && error <= 0.3, `${name}: ${actual} for ${truth} (${(error * 100).toFixed(1)}%)`);
}

describe('token estimates', () => {
  it('A15: statistics alone, used until the tokenizer is loaded, keep every class within -10% / +30%', () => {
    for (const [name, truth] of Object.entries(counts)) {
      const text = textOf(name);
      assertWithin(statisticalTokens(text), truth.o200k, `${name}, o200k`);
      const claude = (vocabulary: 'to-4.6' | 'from-4.7') => claudeTokens(text, vocabulary, statisticalTokens);
      assertWithin(claude('to-4.6'), truth['claude-3-to-4.6'], `${name}, to 4.6`);
      assertWithin(claude('from-4.7'), truth['claude-4.7-and-later'], `${name}, from 4.7`);
    }
  });

  describe('with the tokenizer', () => {
    before(() => loadO200k());

    it('A15: every class of text is within -10% / +30% for both Claude vocabularies', () => {
      assert.equal(Object.keys(counts).length, 7);
      for (const [name, truth] of Object.entries(counts)) {
        assertWithin(estimateText(textOf(name), older), truth['claude-3-to-4.6'], `${name}, to 4.6`);
        assertWithin(estimateText(textOf(name), newer), truth['claude-4.7-and-later'], `${name}, from 4.7`);
      }
    });

    it('A15: counts OpenAI models exactly', () => {
      for (const [name, truth] of Object.entries(counts)) {
        assert.equal(estimateText(textOf(name), gpt), truth.o200k, name);
      }
    });

    it('A15: the parts add up to the total, with schemas in rows of their own', () => {
      const tools = Array.from({ length: 40 }, (_, index) => ({
        name: `tool_${index}`,
        description: 'Does one thing well.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      }));
      const full = request({
        system: [{ source: 'preamble', text: textOf('english') }],
        tools,
        messages: [said('hi')],
      });
      const { rawTokens, parts } = estimateRequest(full, newer);
      const rows = [parts.framing, ...parts.system, ...parts.tools, ...parts.messages];
      assert.equal(
        rows.reduce((total, row) => total + row, 0),
        rawTokens,
      );
      assert.deepEqual([parts.system.length, parts.tools.length, parts.messages.length], [1, 40, 1]);
      for (const row of parts.tools) assert.ok(row > 20 && row < 100, `${row}`);
    });

    it('adds the overheads of requests, messages, calls, specs, map and list entries', () => {
      const one = (text: string) => estimateText(text, gpt);
      assert.equal(estimateRequest(request(), gpt).rawTokens, 8);
      assert.equal(estimateRequest(request({ messages: [said('hello')] }), gpt).rawTokens, 8 + 4 + one('hello'));
      const call: RequestMessage = {
        role: 'assistant',
        content: [{ type: 'tool_call', callId: 'c1', name: 'grep', input: { paths: ['a', 'b'], deep: { on: true } } }],
      };
      const texts = ['c1', 'grep', 'paths', 'a', 'b', 'deep', 'on', 'true'].map(one);
      assert.equal(
        estimateRequest(request({ messages: [call] }), gpt).rawTokens,
        8 + 4 + 6 + 3 * 2 + 2 * 1 + texts.reduce((total, tokens) => total + tokens, 0),
      );
    });

    it('counts what a tokenizer would refuse or choke on', () => {
      assert.ok(estimateText('<|endoftext|> typed by a user', gpt) > 5);
      const started = performance.now();
      for (const unit of ['a', '漢字', ' ', '👩‍💻', '=', '\n']) {
        const text = unit.repeat(200_000 / unit.length);
        for (const model of [gpt, newer]) assert.ok(estimateText(text, model) > 0);
      }
      assert.ok(performance.now() - started < 5_000, 'long runs take time that grows with their square');
    });

    it('names strategy and confidence: only a tokenizer of the model itself is trusted before calibration', () => {
      const named = (ref: ModelRef) => {
        const { strategy, confidence } = estimateRequest(request(), ref);
        return `${strategy} ${confidence}`;
      };
      assert.deepEqual([gpt, older, newer, local, offline].map(named), [
        'tokenizer high',
        'claude low',
        'claude low',
        'tokenizer low',
        'statistics high',
      ]);
    });

    it('matches model ids exactly, apart from surrounding blanks', () => {
      const text = textOf('indented-code');
      const tokens = (model: string) => estimateText(text, { provider: 'anthropic', model });
      assert.equal(tokens('  claude-opus-4-6\n'), tokens('claude-opus-4-6'));
      assert.ok(tokens('claude-opus-4-6') < tokens('my-claude-opus-4-6-copy'), 'an id we do not know counts high');
    });

    it('counts content without the framing of a single message', () => {
      const { parts } = estimateRequest(request({ messages: [said('hello')] }), older);
      assert.deepEqual(parts.messages, [4 + estimateText('hello', older)]);
      assert.ok(estimateText('hello', older) <= 2);
    });

    it('chooses the Claude vocabulary by the version in the id, the higher count when in doubt', () => {
      const text = textOf('indented-code');
      const low = estimateText(text, older);
      const high = estimateText(text, newer);
      assert.ok(high > low * 1.15);
      const tokens = (model: string, provider: ModelRef['provider'] = 'anthropic') =>
        estimateText(text, { provider, model });
      for (const id of [
        'claude-3-7-sonnet-20250219',
        'claude-opus-4-20250514',
        'claude-haiku-4-5',
        'claude-opus-4-6',
      ]) {
        assert.equal(tokens(id), low, id);
      }
      for (const id of ['claude-opus-4-7', 'claude-sonnet-5', 'claude-mythos-preview', 'some-gateway-name']) {
        assert.equal(tokens(id), high, id);
      }
      assert.equal(tokens('anthropic/claude-sonnet-4.6', 'openai'), low);
      assert.equal(tokens('anthropic/claude-opus-4.8', 'openai'), high);
    });

    it('costs only what is new: a long conversation is not counted again', () => {
      const texts = Array.from({ length: 300 }, (_, index) => `${index} ${textOf('indented-code')}`);
      const started = performance.now();
      const cold = estimateRequest(request({ messages: texts.map(said) }), newer);
      const coldMs = performance.now() - started;
      const again = performance.now();
      const warm = estimateRequest(request({ messages: [...texts.map(said), said('one more')] }), newer);
      const warmMs = performance.now() - again;
      assert.equal(warm.rawTokens, cold.rawTokens + (warm.parts.messages.at(-1) ?? 0));
      assert.ok(warmMs < coldMs / 5, `cold ${coldMs.toFixed(1)} ms, warm ${warmMs.toFixed(1)} ms`);
    });

    it('grows with the text, for any text and any family', () => {
      fc.assert(
        fc.property(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.constantFrom(older, newer, gpt, local, offline),
          (text, model) => {
            const tokens = estimateText(text, model);
            assert.ok(Number.isSafeInteger(tokens) && (text === '' ? tokens === 0 : tokens > 0));
            assert.ok(estimateText(`${text}${' and more words'.repeat(20)}`, model) > tokens);
          },
        ),
        { numRuns: 300 },
      );
    });
  });
});

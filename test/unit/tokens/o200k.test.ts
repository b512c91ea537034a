import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { textCounter } from '../../../src/core/tokens/countText.ts';
import { estimateText } from '../../../src/core/tokens/estimate.ts';
import { loadO200k, O200k, TokenizerLoadError } from '../../../src/core/tokens/o200k.ts';

const gpt: ModelRef = { provider: 'openai', model: 'gpt-5.2' };

/** Letters, symbols and so on without any break, drawn by a fixed seed. */
function drawn(alphabet: string, length: number): string {
  const letters = Array.from(alphabet);
  let state = 20_261_201;
  let text = '';
  for (let count = 0; count < length; count++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += letters[(state >>> 8) % letters.length];
  }
  return text;
}

const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = SMALL + SMALL.toUpperCase();
const HAN =
  '请重命名这个函数但不要动调用者会话保存每一条消息压缩之后也不例外我们今天在北京大学学习中国历史和文化的发展过程';

const RUNS: Record<string, string> = {
  'one letter': 'a'.repeat(3_001),
  'small letters': drawn(SMALL, 3_000),
  'letters of both cases': drawn(LETTERS, 3_000),
  'base64 without padding': drawn(`${LETTERS}0123456789+/`, 12_000),
  'words without blanks': 'internationalizationconfigurationmanagement'.repeat(70),
  'camel case': 'readFileFromDiskAndParse'.repeat(200),
  'blanks alone': ' '.repeat(3_000),
  tabs: '\t'.repeat(3_000),
  'line breaks': '\n'.repeat(3_000),
  'line breaks and blanks': '\n  '.repeat(1_000),
  'equal signs': '='.repeat(3_000),
  dashes: '-'.repeat(3_000),
  'numbers signs': '#'.repeat(3_100),
  underscores: '_'.repeat(3_000),
  'box lines': '─'.repeat(3_000),
  'mixed symbols': drawn('!@#$%^&*()-=+[]{};:<>?/|', 3_000),
  'minified code': 'if(!a.b){a.b=new Map;a.c=0}for(let d=0;d<e.length;d++)f[d]=g(e[d],d);'.repeat(60),
  Han: drawn(HAN, 3_000),
  kana: 'すべてのにんげんはうまれながらにしてじゆうであり'.repeat(120),
  Hangul: '모든인간은태어날때부터자유로우며그존엄과권리에있어동등하다'.repeat(100),
  Thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ'.repeat(50),
  emoji: ['🔥', '👩‍💻', '📁', '🏳️‍🌈', '🇩🇪'].map((each) => each.repeat(70)).join(''),
  'unlike runs side by side': `${'='.repeat(900)}${'abc'.repeat(400)}${' '.repeat(777)}${drawn(HAN, 800)}`,
};

describe('o200k counts', () => {
  before(() => loadO200k());

  for (const [kind, run] of Object.entries(RUNS)) {
    it(`are within 1% of the tokenizer for a long unbroken run: ${kind}`, () => {
      const truth = countTokens(run);
      const tokens = estimateText(run, gpt);
      assert.ok(Math.abs(tokens - truth) <= truth * 0.01, `${tokens} for ${truth}`);
    });
  }

  it('are exact for runs that the tokenizer can still take whole', () => {
    for (const run of [drawn(LETTERS, 512), '='.repeat(512), drawn(HAN, 512), ' '.repeat(511)]) {
      assert.equal(estimateText(run, gpt), countTokens(run));
    }
  });

  it('are within 1% for a run so long that it is sampled', () => {
    const han = drawn(HAN, 200_000);
    const windows = han.match(/.{1,500}/gsu) ?? [];
    const truth = windows.reduce((sum, window) => sum + countTokens(window), 0);
    const tokens = estimateText(han, gpt);
    assert.ok(Math.abs(tokens - truth) <= truth * 0.01, `${tokens} for ${truth}`);
    assert.equal(estimateText('a'.repeat(1_000_000), gpt), 125_000);
  });

  it('are exact for a text of several slices', () => {
    const code = 'export function fit(prompt: number): boolean {\n  // Größe: 漢字\n  return prompt <= window;\n}\n\n';
    const prose = 'The session keeps every message, even after a compaction. ';
    for (const unit of [code, prose, `${code}${prose}\n/* done */\n`]) {
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      assert.equal(estimateText(text, gpt), countTokens(text));
    }
  });

  it('do not slow down once many different words were counted', function () {
    this.timeout(60_000);
    const words = (first: number) =>
      Array.from({ length: 20_000 }, (_, index) => `zq${drawn(SMALL, 6)}${(first + index).toString(36)}qz`).join(' ');
    const milliseconds = (text: string) => {
      const started = performance.now();
      estimateText(text, gpt);
      return performance.now() - started;
    };
    milliseconds(words(0));
    const early = milliseconds(words(20_000));
    for (let first = 40_000; first < 200_000; first += 20_000) milliseconds(words(first));
    const late = milliseconds(words(200_000));
    assert.ok(late < early * 6, `${early.toFixed(0)} ms at first, ${late.toFixed(0)} ms later`);
  });

  it('never cut a pair of surrogates', () => {
    const texts: string[] = [];
    const tokenizer = new O200k(async () => (text) => {
      texts.push(text);
      return 1;
    });
    return tokenizer.load().then(() => {
      tokenizer.counter()?.(`x${'👩🏽‍💻'.repeat(900)}`);
      assert.ok(texts.length > 3);
      for (const text of texts) assert.ok(text.isWellFormed());
    });
  });
});

describe('loading the tokenizer', () => {
  it('does not happen on import: estimate.ts reaches the table by a dynamic import alone', async () => {
    const { metafile } = await build({
      entryPoints: ['src/core/tokens/estimate.ts'],
      bundle: true,
      metafile: true,
      write: false,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    const reached = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
    assert.deepEqual(
      reached.map(({ path, kind }) => `${kind} ${path}`),
      ['dynamic-import gpt-tokenizer/encoding/o200k_base'],
    );
  });

  it('begins with the first count that needs it, happens once, and never for the built-in model', async () => {
    let loads = 0;
    const tokenizer = new O200k(async () => {
      loads += 1;
      return (text) => text.length;
    });
    textCounter('offline', tokenizer).count('some text');
    assert.equal(loads, 0);
    const early = textCounter('claude-from-4.7', tokenizer);
    assert.equal(early.strategy, 'statistics');
    textCounter('o200k', tokenizer);
    await tokenizer.load();
    assert.equal(loads, 1);
    assert.equal(textCounter('o200k', tokenizer).strategy, 'tokenizer');
    assert.equal(textCounter('claude-from-4.7', tokenizer).strategy, 'claude');
  });

  it('returns a failed load on every call and never lets another way of counting stand in for it', async () => {
    let loads = 0;
    const tokenizer = new O200k(async () => {
      loads += 1;
      throw new Error('unreadable');
    });
    const failed = (error: unknown) => error instanceof TokenizerLoadError && error.cause instanceof Error;
    await assert.rejects(tokenizer.load(), failed);
    await assert.rejects(tokenizer.load(), failed);
    for (const family of ['o200k', 'o200k-like', 'claude-to-4.6', 'claude-from-4.7'] as const) {
      assert.throws(() => textCounter(family, tokenizer), failed);
      assert.throws(() => textCounter(family, tokenizer), failed);
    }
    assert.equal(loads, 1);
    assert.ok(textCounter('offline', tokenizer).count('the built-in model needs none') > 0);
  });
});

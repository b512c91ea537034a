import assert from 'node:assert/strict';
import fc from 'fast-check';
import { claudeTokens } from '../../../src/core/tokens/claudeTokens.ts';
import { textCounter } from '../../../src/core/tokens/countText.ts';
import type { TokenizerFamily } from '../../../src/core/tokens/family.ts';
import { loadO200k, o200k } from '../../../src/core/tokens/o200k.ts';
import { statisticalTokens } from '../../../src/core/tokens/statisticalTokens.ts';

const SEED = 20_261_201;
const FAMILIES: TokenizerFamily[] = ['o200k', 'claude-to-4.6', 'claude-from-4.7', 'offline'];

/** Without the cache, so that time and memory are those of counting. */
function counterOf(family: TokenizerFamily): (text: string) => number {
  const table = o200k.counter();
  assert.ok(table);
  if (family === 'offline') return statisticalTokens;
  if (family === 'o200k' || family === 'o200k-like') return table;
  return (text) => claudeTokens(text, family === 'claude-to-4.6' ? 'to-4.6' : 'from-4.7', table);
}

const KINDS: Record<string, string> = {
  'small letters': 'a',
  words: 'word and ',
  digits: '7',
  hex: 'a7f3',
  blanks: ' ',
  'line breaks': '\n',
  symbols: '=',
  'mixed symbols': '({;',
  accents: 'né ',
  Cyrillic: 'слово ',
  Arabic: 'ا',
  Devanagari: 'क',
  Han: '漢字',
  'Han with punctuation': '会话保存每一条消息，',
  kana: 'かな',
  Hangul: '한글 ',
  emoji: '👩‍💻',
  'box lines': '│ ',
  'lone surrogates': '\ud800',
  'control characters': '\u0001',
};

const piece = fc.oneof(
  fc.lorem({ maxCount: 12 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.json(),
  fc.constantFrom(...Object.values(KINDS)).map((kind) => kind.repeat(15)),
  fc.constantFrom(
    '    if (x >= 1) {\n',
    'Größe und Länge der Datei\n',
    'Сессия хранит все\n',
    '请重命名这个函数。',
    '2026-12-01T03:38:47Z ',
  ),
);
const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));

describe('token estimates of any text', () => {
  before(() => loadO200k());

  for (const family of FAMILIES) {
    it(`${family}: a text costs about what its two halves cost`, () => {
      fc.assert(
        fc.property(text, text, (first, second) => {
          const count = counterOf(family);
          const apart = count(first) + count(second);
          const together = count(first + second);
          // A word or a run that is cut counts otherwise, and so does a short text judged with other neighbours.
          const slack = 15 + apart * 0.25;
          assert.ok(Math.abs(together - apart) <= slack, `${together} together, ${apart} apart`);
        }),
        { numRuns: 400, seed: SEED },
      );
    });

    it(`${family}: it never costs less for a sentence more`, () => {
      fc.assert(
        fc.property(text, (before) => {
          const { count } = textCounter(family);
          assert.ok(count(`${before} and then some more words.`) > count(before));
        }),
        { numRuns: 400, seed: SEED },
      );
    });

    it(`${family}: it costs at least a token per 130 characters, and at most 6 per character`, () => {
      fc.assert(
        fc.property(text, (any) => {
          const tokens = textCounter(family).count(any);
          assert.ok(Number.isSafeInteger(tokens) && (any === '' ? tokens === 0 : tokens >= 1));
          assert.ok(tokens >= any.length / 130 && tokens <= 6 * any.length + 1, `${tokens} for ${any.length}`);
        }),
        { numRuns: 400, seed: SEED },
      );
    });

    it(`${family}: ten times the text costs ten times the tokens`, () => {
      for (const [kind, unit] of Object.entries(KINDS)) {
        const once = unit.repeat(1_280);
        const count = counterOf(family);
        const ratio = count(once.repeat(10)) / count(once);
        assert.ok(ratio > 9 && ratio < 10.5, `${kind}: ${ratio}`);
      }
    });

    it(`${family}: time grows with the length alone, whatever the text is made of`, function () {
      this.timeout(60_000);
      const count = counterOf(family);
      for (const [kind, unit] of Object.entries(KINDS)) {
        const whole = unit.repeat(Math.ceil(2_000_000 / Buffer.byteLength(unit)));
        count(whole.slice(0, 50_000));
        const milliseconds = time(() => count(whole));
        // Generous: 10 MB in 2 s is 400 ms here, on an idle core; a run whose square counts takes minutes.
        assert.ok(milliseconds < 2_500, `${kind}: ${milliseconds.toFixed(0)} ms for 2 MB`);
      }
    });
  }

  it('a Claude estimate reaches its speed: below four times the tokenizer’s time on text that is all in its cache', () => {
    const code =
      'export function fit(promptTokens: number): boolean {\n  return promptTokens + reserve <= window;\n}\n'.repeat(
        10_000,
      );
    const tokenizer = counterOf('o200k');
    const claude = counterOf('claude-from-4.7');
    claude(code);
    const base = Math.min(...[1, 2, 3].map(() => time(() => tokenizer(code))));
    const claudeTime = Math.min(...[1, 2, 3].map(() => time(() => claude(code))));
    assert.ok(claudeTime < base * 4, `${claudeTime.toFixed(0)} ms, the tokenizer alone ${base.toFixed(0)} ms`);
    const megabytesPerSecond = code.length / 1_000 / claudeTime;
    // 5 MB/s is what an idle core must reach; a busy one may take five times as long.
    assert.ok(megabytesPerSecond > 1, `${megabytesPerSecond.toFixed(1)} MB/s`);
  });
});

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

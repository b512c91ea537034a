import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/conversation/request.ts';
import { anthropicBilling, type Billing, openaiBilling } from '../../bench/context/billing.ts';
import { PrefixTree } from '../../bench/context/prefixTree.ts';

const MINUTE = 60_000;

/** A prompt of texts, named so that equal names are equal bytes; the first one is the system. */
function promptOf(...names: string[]): ModelRequest {
  const [system = '', ...texts] = names;
  return {
    model: 'bench',
    system: [{ source: 'preamble', text: system }],
    tools: [],
    messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
    maxOutputTokens: 8_192,
    breakpoints: [],
    cacheKey: 'k',
  };
}

/** Every block counts so many tokens. */
class Till {
  readonly #billing: Billing;
  readonly #tree: PrefixTree;

  constructor(billing: Billing, tokens: number) {
    this.#billing = billing;
    this.#tree = new PrefixTree({ ofSystem: () => tokens, ofBlock: () => tokens });
  }

  charge(names: string[], marks: number[], minutes: number, outputTokens = 0) {
    const path = this.#tree.pathOf(promptOf(...names));
    const bill = this.#billing.charge({ path, marks, outputTokens, now: minutes * MINUTE });
    return { ...bill, units: Math.round(bill.units * 100) / 100 };
  }
}

const names = (count: number) => ['system', ...Array.from({ length: count }, (_, index) => `block ${index}`)];

describe('bench billing, explicit markers', () => {
  it('writes at 1.25, reads at 0.1 and charges 1 after the last marker, output 5', () => {
    const till = new Till(anthropicBilling('5m'), 1_000);
    // 3,000 tokens: 2,000 up to the marker are written, 1,000 are plain, 10 are output.
    assert.equal(till.charge(names(2), [1], 0, 10).units, 2_000 * 1.25 + 1_000 + 10 * 5);
    // The marked 2,000 are read, 2,000 more are written.
    assert.equal(till.charge(names(3), [1, 3], 1).units, 2_000 * 0.1 + 2_000 * 1.25);
  });

  it('writes at 2 with a life of one hour', () => {
    const till = new Till(anthropicBilling('1h'), 1_000);
    assert.equal(till.charge(names(1), [1], 0).units, 2_000 * 2);
    assert.equal(till.charge(names(1), [1], 59).units, 2_000 * 0.1);
    assert.equal(till.charge(names(1), [1], 59 + 61).units, 2_000 * 2);
  });

  it('a read renews an entry, and five minutes without one end it', () => {
    const till = new Till(anthropicBilling('5m'), 1_000);
    till.charge(names(1), [1], 0);
    assert.equal(till.charge(names(1), [1], 4).readTokens, 2_000);
    assert.equal(till.charge(names(1), [1], 8).readTokens, 2_000);
    assert.equal(till.charge(names(1), [1], 13.1).readTokens, 0);
  });

  it('an entry exists only where a marker stood', () => {
    const till = new Till(anthropicBilling('5m'), 1_000);
    till.charge(names(4), [4], 0);
    const changed = [...names(3), 'changed'];
    assert.equal(
      till.charge(changed, [4], 1).readTokens,
      0,
      'the first three blocks are the same, but no entry ends there',
    );
    const long = new Till(anthropicBilling('5m'), 1_100);
    long.charge(names(4), [0, 4], 0);
    assert.equal(long.charge(changed, [0, 4], 1).readTokens, 1_100);
  });

  it('finds an entry 20 blocks back and not 21', () => {
    for (const [added, read] of [
      [20, 3_000],
      [21, 0],
    ] as const) {
      const till = new Till(anthropicBilling('5m'), 1_000);
      till.charge(names(2), [2], 0);
      assert.equal(till.charge(names(2 + added), [2 + added], 1).readTokens, read, `${added} blocks added`);
    }
  });

  it('keeps nothing below 1,024 tokens', () => {
    const till = new Till(anthropicBilling('5m'), 511);
    assert.equal(till.charge(names(1), [1], 0).writtenTokens, 0);
    assert.equal(till.charge(names(1), [1], 1).units, 1_022);
    assert.equal(till.charge(names(2), [2], 2).writtenTokens, 1_533);
    assert.equal(till.charge(names(2), [2], 3).readTokens, 1_533);
  });

  it('refuses a fifth marker', () => {
    const till = new Till(anthropicBilling('5m'), 1_000);
    assert.throws(() => till.charge(names(6), [0, 1, 2, 3, 4], 0), /5 cache markers/);
  });
});

describe('bench billing, automatic prefix', () => {
  it('reads the longest live prefix in steps of 128 from 1,024 on, and writes cost nothing', () => {
    const till = new Till(openaiBilling(), 700);
    assert.equal(till.charge(names(2), [], 0, 10).units, 2_100 + 10 * 8);
    // The first two blocks are shared: 1,400 tokens, 1,280 in steps of 128.
    const changed = [...names(1), 'changed'];
    assert.equal(till.charge(changed, [], 1).units, 1_280 * 0.1 + 820);
    assert.equal(till.charge(['system', 'other'], [], 2).readTokens, 0, '700 shared tokens are too few');
  });

  it('lives for five minutes after its last use', () => {
    const till = new Till(openaiBilling(), 1_024);
    till.charge(names(1), [], 0);
    assert.equal(till.charge(names(1), [], 5).readTokens, 2_048);
    assert.equal(till.charge(names(1), [], 10.1).readTokens, 0);
  });
});

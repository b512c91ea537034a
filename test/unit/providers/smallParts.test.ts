import assert from 'node:assert/strict';
import { retryAfterMs } from '../../../src/core/providers/retryAfter.ts';
import { judgeArguments, parseObject } from '../../../src/core/providers/toolArguments.ts';
import { plainCallId, shortCallId, wireToolName } from '../../../src/core/providers/wireNames.ts';

describe('retryAfterMs', () => {
  const ms = (headers: Record<string, string>, nowMs = 0) => retryAfterMs(new Headers(headers), nowMs);
  it('reads seconds with fractions, and prefers milliseconds', () => {
    assert.equal(ms({ 'retry-after': '1.5' }), 1500);
    assert.equal(ms({ 'retry-after': '0' }), 0);
    assert.equal(ms({ 'retry-after': '9', 'retry-after-ms': '20' }), 20);
  });
  it('reads a date by our clock when the response has no date of its own, never below zero', () => {
    const until = 'Tue, 01 Dec 2026 10:00:30 GMT';
    assert.equal(ms({ 'retry-after': until }, Date.parse(until) - 12_000), 12_000);
    assert.equal(ms({ 'retry-after': until }, Date.parse(until) + 12_000), 0);
  });
  it('asks for nothing when there is nothing sensible', () => {
    for (const value of ['', 'soon', '-3', 'Infinity']) assert.equal(ms({ 'retry-after': value }), undefined, value);
    assert.equal(retryAfterMs(undefined, 0), undefined);
  });
});

describe('tool arguments', () => {
  it('A4: a prefix of an object is never taken for one', () => {
    const whole = '{"path":"a.ts","content":"x","deep":{"list":[1,2]}}';
    for (let length = 1; length < whole.length; length++) {
      assert.equal(parseObject(whole.slice(0, length)), undefined);
      for (const reason of ['max_tokens', 'tool_use', 'end_turn'] as const)
        assert.ok(judgeArguments(whole.slice(0, length), reason).problem);
    }
    assert.deepEqual(judgeArguments(whole, 'max_tokens'), { input: JSON.parse(whole) });
  });
  it('keeps a key named __proto__ as data', () => {
    const parsed = parseObject('{"__proto__":{"a":1}}') ?? {};
    assert.deepEqual(Object.keys(parsed), ['__proto__']);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  });
});

describe('names on the wire', () => {
  it('leaves good names alone and mends the others', () => {
    assert.equal(wireToolName('read_file-2'), 'read_file-2');
    assert.equal(wireToolName('fs.read 😀'), 'fs_read__');
    assert.equal(wireToolName(''), 'unnamed');
    assert.equal(wireToolName('x'.repeat(80)).length, 64);
  });
  it('keeps distinct ids distinct', () => {
    assert.equal(plainCallId('toolu_01Ab-c'), 'toolu_01Ab-c');
    assert.notEqual(plainCallId('a.b'), plainCallId('a:b'));
    assert.notEqual(plainCallId('a.b'), plainCallId('a_b'));
    assert.match(plainCallId('😀'), /^[a-zA-Z0-9_-]+$/);
    assert.equal(shortCallId('call_1', 40), 'call_1');
  });
});

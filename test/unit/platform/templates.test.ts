import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fill } from '../../../src/core/platform/templates.ts';

describe('fill', () => {
  it('never expands inserted text again, whatever it holds', () => {
    const text = fc.array(fc.oneof(fc.constantFrom('{{a}}', '{{b}}', '$&', '$1', '$$', "$'", '{{'), fc.string()));
    fc.assert(
      fc.property(text, text, (first, second) => {
        const [a, b] = [first.join(''), second.join('')];
        assert.equal(fill('1 {{a}} 2 {{b}} 3 {{a}}', { a, b }), `1 ${a} 2 ${b} 3 ${a}`);
      }),
      { verbose: 1 },
    );
  });

  it('refuses a slot without a value and a value without a slot', () => {
    assert.throws(() => fill('{{a}} {{b}}', { a: '' }), /no value for the slot "b"/);
    assert.throws(() => fill('{{toString}}'), /no value for the slot "toString"/);
    assert.throws(() => fill('{{a}}', { a: '', c: '' }), /no slot for c/);
  });

  it('drops the line feed that ends a file, but nothing of a value', () => {
    assert.equal(fill('text {{a}}\n', { a: 'end\n' }), 'text end\n');
  });
});

import assert from 'node:assert/strict';
import {
  hideBackendStateRetirement,
  isBackendStateRetired,
  markBackendStateRetired,
} from '../../../src/core/providers/backendStateRetirement.ts';
import { ProviderError } from '../../../src/core/providers/provider.ts';

describe('mark of a retirement on an error', () => {
  it('leaves text, fields and chain as they were', () => {
    const cause = new Error('socket');
    const error = Object.freeze(new ProviderError('cut', 'broke off', { advice: 'Again.', cause }));
    const before = [error.message, error.stack, Object.keys(error), error.cause];
    markBackendStateRetired(error);
    assert.deepEqual([error.message, error.stack, Object.keys(error), error.cause], before);
    assert.equal(error.cause, cause);
    assert.ok(isBackendStateRetired(error));
  });

  it('is found through the causes, also through a ring of them', () => {
    const inner = new Error('inner');
    const outer = new Error('outer', { cause: new Error('middle', { cause: inner }) });
    assert.equal(isBackendStateRetired(outer), false);
    markBackendStateRetired(inner);
    assert.ok(isBackendStateRetired(outer));
    inner.cause = outer;
    assert.ok(isBackendStateRetired(outer));
    hideBackendStateRetirement(outer);
    assert.equal(isBackendStateRetired(outer), false);
    assert.equal(isBackendStateRetired(inner), false);
  });

  it('cannot be set on what is no object', () => {
    for (const nothing of [undefined, null, 'text', 7]) {
      markBackendStateRetired(nothing);
      assert.equal(isBackendStateRetired(nothing), false);
    }
  });
});

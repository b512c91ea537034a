import assert from 'node:assert/strict';
import { type InputKey, inputAction, mergeReturnedText } from '../../../webview/composerKeys.ts';

const key = (name: string, change: Partial<InputKey> = {}): InputKey => ({
  key: name,
  shift: false,
  alt: false,
  ctrl: false,
  meta: false,
  composing: false,
  ...change,
});

describe('keys of the input', () => {
  it('sends with Enter, not with Shift+Enter or Alt+Enter', () => {
    assert.equal(inputAction(key('Enter'), 'x'), 'send');
    assert.equal(inputAction(key('Enter', { shift: true }), 'x'), 'none');
    assert.equal(inputAction(key('Enter', { alt: true }), 'x'), 'none');
  });

  it('leaves every key to an input method that is composing', () => {
    assert.equal(inputAction(key('Enter', { composing: true }), '日本'), 'none');
    assert.equal(inputAction(key('ArrowUp', { composing: true }), ''), 'none');
  });

  it('recalls the last message only in an empty input', () => {
    assert.equal(inputAction(key('ArrowUp'), ''), 'recall');
    assert.equal(inputAction(key('ArrowUp'), ' '), 'none');
    assert.equal(inputAction(key('ArrowUp', { ctrl: true }), ''), 'none');
  });

  it('keeps what was typed when a refused message comes back', () => {
    assert.equal(mergeReturnedText('refused', ''), 'refused');
    assert.equal(mergeReturnedText('refused', 'refused'), 'refused');
    assert.equal(mergeReturnedText('refused', 'new'), 'refused\n\nnew');
  });
});

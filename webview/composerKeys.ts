// What a key does in the input, decided without the DOM.

export interface InputKey {
  key: string;
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
  meta: boolean;
  /** An input method is composing: every key belongs to it. */
  composing: boolean;
}

export type InputAction = 'send' | 'recall' | 'none';

/** Enter sends, with Shift or Alt it breaks the line; arrow up in an empty input brings back the last message. */
export function inputAction(key: InputKey, text: string): InputAction {
  if (key.composing) return 'none';
  if (key.key === 'Enter' && !key.shift && !key.alt) return 'send';
  if (key.key === 'ArrowUp' && text === '' && !key.shift && !key.alt && !key.ctrl && !key.meta) return 'recall';
  return 'none';
}

/** A message that comes back from the host must not overwrite what was typed since. */
export function mergeReturnedText(returned: string, draft: string): string {
  if (draft.trim() === '' || draft === returned) return returned;
  return `${returned}\n\n${draft}`;
}

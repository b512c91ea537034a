// Arrow keys between the buttons of a group that is one tab stop.

/** For a `keydown` on the group; `keys` are the ones for back and forth. */
export function moveWithArrows(event: KeyboardEvent, back: string, forth: string): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  const current = buttons.indexOf(document.activeElement as HTMLButtonElement);
  if (current < 0) return;
  const target = { [back]: current - 1, [forth]: current + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  buttons.at(target % buttons.length)?.focus();
}

/** For a `focusin` on the group: Tab comes back to where the focus was. */
export function rememberTabStop(event: FocusEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  for (const button of event.currentTarget.querySelectorAll('button')) {
    button.tabIndex = button === event.target ? 0 : -1;
  }
}

// Which targets a link in model text may have. The host checks again before it opens anything.

/** What the host is asked to open, or undefined when the link is shown as plain text. */
export function linkTarget(href: string): string | undefined {
  const target = href.trim();
  if (target === '' || hasControlCharacter(target)) return undefined;
  if (/^https?:\/\/[^/]/i.test(target) || /^mailto:[^?]/i.test(target)) return target;
  return fileTarget(target);
}

/** `src/a.ts`, `src/a.ts:12` or `a.ts:12`: a path with a folder or a line. `a.b` alone may as well be code. */
export function isFileReference(text: string): boolean {
  const [, folders = '', line = ''] = /^((?:[\w.@-]+[\\/])*)[\w.@-]+\.[a-z]\w{0,9}((?::\d+){0,2})$/i.exec(text) ?? [];
  return folders !== '' || line !== '';
}

/** True where the text of a link looks like an address other than its target. */
export function isMisleading(text: string, target: string): boolean {
  const shown = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?:[/:?#]|$)/i.exec(text.trim())?.[1];
  if (shown === undefined || !/^https?:/i.test(target)) return false;
  return hostOf(target) !== shown.toLowerCase();
}

/** The host of an http(s) address, as the browser understands it. */
export function hostOf(target: string): string {
  try {
    return new URL(target).hostname;
  } catch {
    return '';
  }
}

function fileTarget(target: string): string | undefined {
  // `main.ts:12` reads like a scheme; the leading dot tells the host that it is a file.
  if (/^[\w-]+(?:\.[\w-]+)+:\d+(?::\d+)?$/.test(target)) return `./${target}`;
  const isDrive = /^[a-z]:[\\/]/i.test(target);
  if (!isDrive && /^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  // Network paths would make the host fetch something; a bare fragment points nowhere.
  if (/^[\\/]{2}/.test(target) || target.startsWith('#') || target.startsWith('?')) return undefined;
  return target;
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

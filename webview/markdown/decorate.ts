// What cannot come from model text is added after sanitising: scroll boxes, and a bar with a copy button over code.

/** The bar's button is found by this attribute; see links and copies in ../clicks.ts. */
export const COPY_CODE = 'data-copy-code';

export function decorate(fragment: DocumentFragment): void {
  for (const pre of fragment.querySelectorAll('pre')) wrapCode(pre);
  for (const table of fragment.querySelectorAll('table')) wrapTable(table);
}

function wrapCode(pre: HTMLPreElement): void {
  const block = document.createElement('div');
  block.className = 'code-block';
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  const language = document.createElement('span');
  language.textContent = pre.dataset.language ?? '';
  bar.append(language, copyButton());
  pre.replaceWith(block);
  pre.tabIndex = 0;
  block.append(bar, pre);
}

function copyButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  button.title = 'Copy code';
  button.setAttribute('aria-label', 'Copy code');
  button.setAttribute(COPY_CODE, '');
  const icon = document.createElement('span');
  icon.className = 'codicon codicon-copy';
  icon.setAttribute('aria-hidden', 'true');
  button.append(icon);
  return button;
}

function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement('div');
  box.className = 'table-box';
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

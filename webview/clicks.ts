// Links and copy buttons inside rendered Markdown. A link has no `href`: nothing in the page can navigate.
import type { WebviewMessage } from '../src/protocol.ts';
import { COPY_CODE } from './markdown/decorate.ts';

/** Milliseconds for which the button shows that it has copied. */
const COPIED_MS = 1_500;

export function handleMarkdownClicks(root: HTMLElement, post: (message: WebviewMessage) => void): void {
  root.addEventListener('click', (event) => act(event, post));
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.dataset.href) act(event, post);
  });
}

function act(event: Event, post: (message: WebviewMessage) => void): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLElement>('a[data-href]');
  if (link?.dataset.href) {
    event.preventDefault();
    post({ type: 'open_link', href: link.dataset.href });
    return;
  }
  const button = event.target.closest(`[${COPY_CODE}]`);
  if (!button) return;
  post({ type: 'copy', text: button.closest('.code-block')?.querySelector('code')?.textContent ?? '' });
  const mark = button.querySelector('.codicon');
  mark?.classList.replace('codicon-copy', 'codicon-check');
  button.setAttribute('aria-label', 'Copied');
  setTimeout(() => {
    mark?.classList.replace('codicon-check', 'codicon-copy');
    button.setAttribute('aria-label', 'Copy code');
  }, COPIED_MS);
}

import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';
import type { ItemOf } from './context.ts';

export function userTemplate(item: ItemOf<'user'>): TemplateResult {
  // Build mode is the normal case and would stand over every message.
  const isPlan = item.mode === 'plan';
  const hasChips = isPlan || item.skills.length > 0;
  return html`<div class="item user" role="article" aria-label="You">
    ${
      hasChips
        ? html`<div class="chips">
            ${isPlan ? chip('list-ordered', 'Plan mode') : nothing}
            ${item.skills.map(({ name, state }) =>
              chip(state === 'active' ? 'add' : 'remove', `${name} ${state === 'active' ? 'on' : 'off'}`),
            )}
          </div>`
        : nothing
    }
    ${
      isLong(item.text)
        ? html`<div class="user-text long" tabindex="0">${item.text}</div>`
        : html`<div class="user-text">${item.text}</div>`
    }
  </div>`;
}

/** A pasted log scrolls in a box of its own instead of filling the conversation. */
function isLong(text: string): boolean {
  return text.length > 3_000 || text.split('\n', 31).length > 30;
}

function chip(iconName: string, text: string): TemplateResult {
  return html`<span class="chip">${icon(iconName)}${text}</span>`;
}

import { html, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';
import type { ItemOf } from './context.ts';

export function thinkingTemplate(item: ItemOf<'thinking'>): TemplateResult {
  return html`<details class="item thinking">
    <summary>${icon('chevron-right')}${item.streaming ? 'Thinking…' : 'Thought'}</summary>
    <div class="thinking-text" tabindex="0">${item.text}</div>
  </details>`;
}

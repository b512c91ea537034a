import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';
import { markdown } from '../markdown/view.ts';
import type { ItemOf } from './context.ts';

export function assistantTemplate(item: ItemOf<'assistant'>): TemplateResult {
  return html`<div class="item assistant" role="article" aria-label="Steiner" aria-busy=${item.streaming ? 'true' : 'false'}>
    ${markdown(item.markdown, item.streaming)}
    ${item.incomplete ? html`<div class="cut-off">${icon('debug-disconnect')}This answer was cut off.</div>` : nothing}
  </div>`;
}

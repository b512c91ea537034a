import { html, nothing, type TemplateResult } from 'lit-html';
import { formatTokens } from '../format.ts';
import { icon } from '../icons.ts';
import { markdown } from '../markdown/view.ts';
import type { ItemOf } from './context.ts';

export function compactionTemplate(item: ItemOf<'compaction'>): TemplateResult {
  return html`<details class="item compaction">
    <summary>
      ${icon('chevron-right')}
      <span>Compacted: ${formatTokens(item.tokensBefore)} → ${formatTokens(item.tokensAfter)} tokens</span>
    </summary>
    <div class="compaction-summary">
      ${item.reason === undefined ? nothing : html`<p>${item.reason}</p>`}
      ${item.summaryModel === undefined ? nothing : html`<p>${item.summaryModel}</p>`}
      ${item.summary === '' ? html`<p>This generation has no summary.</p>` : nothing}
      ${markdown(item.summary, false)}
    </div>
  </details>`;
}

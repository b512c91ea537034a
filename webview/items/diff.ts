import { html, nothing, type TemplateResult } from 'lit-html';
import { type DiffLine, parseDiff } from '../diffLines.ts';
import { counted } from '../format.ts';

/** Lines drawn at once; a longer diff starts folded. */
const MAX_LINES = 300;

/** The signs stay in the text, so that colour is not the only mark. */
export function diffTemplate(diff: string, whole: boolean, showWhole: () => void): TemplateResult {
  const { lines, added, removed } = parseDiff(diff);
  const shown = whole ? lines : lines.slice(0, MAX_LINES);
  return html`<div class="diff">
    <div class="diff-count">
      <span class="diff-added" aria-hidden="true">+${added}</span> <span class="diff-removed" aria-hidden="true">−${removed}</span>
      <span class="visually-hidden">${counted(added, 'line')} added, ${counted(removed, 'line')} removed</span>
    </div>
    <pre class="diff-lines" tabindex="0" aria-label="Changes"><code>${shown.map(lineTemplate)}</code></pre>
    ${
      shown.length < lines.length
        ? html`<button type="button" class="text-button" @click=${showWhole}>Show all ${lines.length} lines</button>`
        : nothing
    }
  </div>`;
}

function lineTemplate({ kind, text }: DiffLine): TemplateResult {
  return html`<span class="diff-line diff-${kind}">${text}\n</span>`;
}

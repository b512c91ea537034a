import { html, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';

const EXAMPLES = [
  'Explain how this project is structured.',
  'Find the tests that cover the main module and run them.',
  'Look for duplicated code and suggest what to merge.',
];

export function emptyStateTemplate(fillInput: (text: string) => void): TemplateResult {
  return html`<section class="empty-state" aria-label="Start">
    <h2>What should we work on?</h2>
    <p>Steiner reads, searches, edits and runs commands in this workspace. It asks before it changes anything.</p>
    <ul>
      ${EXAMPLES.map(
        (example) =>
          html`<li>
            <button type="button" class="example" @click=${() => fillInput(example)}>
              ${icon('arrow-small-right')}<span>${example}</span>
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

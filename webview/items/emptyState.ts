import { html, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';

/** Of use with every model; the built-in one answers them from the workspace too. */
export const EXAMPLES = [
  'What does this project do, and how is it structured?',
  'Where are the main functions defined?',
  'Which tests are there, and what do they cover?',
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

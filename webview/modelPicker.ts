import { html, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ChatState } from '../src/protocol.ts';

/** The part of the toolkit's dropdown that is used here. */
interface Dropdown extends HTMLElement {
  value: string;
  open: boolean;
}

export function modelPickerTemplate(chat: ChatState, select: (id: string) => void): TemplateResult {
  const known = chat.models.some((model) => model.id === chat.model.id);
  const models = known ? chat.models : [{ ...chat.model, detail: '' }, ...chat.models];
  return html`<vscode-dropdown
    class="model-picker"
    position="above"
    aria-label="Model"
    title="Model: ${chat.model.label}"
    @change=${(event: Event) => {
      const { value } = event.target as Dropdown;
      if (value !== '' && value !== chat.model.id) select(value);
    }}
    ${ref((element) => queueMicrotask(() => showCurrent(element, chat.model.id)))}
  >
    ${repeat(
      models,
      (model) => model.id,
      ({ id, label, detail }) => html`<vscode-option value=${id} title=${detail}>${label}</vscode-option>`,
    )}
  </vscode-dropdown>`;
}

/** After the options are there; an open list keeps what the user is moving over. */
function showCurrent(element: Element | undefined, id: string): void {
  if (!element) return;
  const dropdown = element as Dropdown;
  if (!dropdown.open && dropdown.value !== id) dropdown.value = id;
}

// The input and everything around it that shapes the next message.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ChatState, WebviewMessage } from '../src/protocol.ts';
import { icon } from './icons.ts';
import { modelPickerTemplate } from './modelPicker.ts';
import { isBusy } from './state.ts';

export interface ComposerActions {
  post(message: WebviewMessage): void;
  send(): void;
  stop(): void;
  onInput(): void;
  onKeydown(event: KeyboardEvent): void;
  hasDraft: boolean;
}

export function composerTemplate(chat: ChatState, actions: ComposerActions): TemplateResult {
  const { post } = actions;
  const { blocked } = chat;
  return html`<div class="composer">
    ${chat.queued.length > 0 ? queuedTemplate(chat.queued) : nothing}
    ${blocked === undefined ? nothing : html`<div class="blocked" id="blocked-reason">${icon('lock')}<span>${blocked}</span></div>`}
    <div class="input-box">
      <textarea
        id="message-input"
        rows="1"
        aria-label="Message"
        placeholder=${isBusy(chat) ? 'Add to what the agent is doing' : 'Ask, or describe a change'}
        ?disabled=${blocked !== undefined}
        @input=${actions.onInput}
        @keydown=${actions.onKeydown}
      ></textarea>
      <div class="composer-bar">
        ${modeTemplate(chat.mode, (mode) => post({ type: 'set_mode', mode }))}
        ${modelPickerTemplate(chat, (id) => post({ type: 'select_model', id }))}
        ${skillsTemplate(chat.skills, () => post({ type: 'toggle_skills' }))}
        <div class="send-buttons">${sendTemplate(chat, actions)}</div>
      </div>
    </div>
  </div>`;
}

function queuedTemplate(queued: readonly string[]): TemplateResult {
  return html`<ul class="queued" aria-label="Queued messages">
    ${queued.map((text) => html`<li class="chip" title=${text}>${icon('clock')}<span>Queued: ${text}</span></li>`)}
  </ul>`;
}

function modeTemplate(mode: ChatState['mode'], select: (mode: ChatState['mode']) => void): TemplateResult {
  const button = (value: ChatState['mode'], label: string, iconName: string, title: string) => html`<button
    type="button"
    title=${title}
    aria-label=${label}
    aria-pressed=${value === mode ? 'true' : 'false'}
    @click=${() => value !== mode && select(value)}
  >
    <span class="mode-icon">${icon(iconName)}</span><span class="label">${label}</span>
  </button>`;
  return html`<div class="mode-picker" role="group" aria-label="Mode">
    ${button('build', 'Build', 'tools', 'Build: the agent may change files and run commands')}
    ${button('plan', 'Plan', 'list-ordered', 'Plan: the agent reads and plans, and changes nothing')}
  </div>`;
}

function skillsTemplate(skills: ChatState['skills'], toggle: () => void): TemplateResult {
  const enabled = skills.filter((skill) => skill.enabled);
  const names = enabled.map((skill) => skill.name).join(', ') || 'none';
  const label = `Skills: ${enabled.length}/${skills.length} on`;
  return html`<button type="button" class="skills-button" title="${label} (${names})" aria-label=${label} @click=${toggle}>
    ${icon('checklist')}<span class="label">${enabled.length}/${skills.length}</span>
  </button>`;
}

/** While the agent works the button stops it; a draft gets a button of its own to be queued. */
function sendTemplate(chat: ChatState, actions: ComposerActions) {
  const busy = isBusy(chat);
  const send = html`<button
    type="button"
    class="send-button"
    title=${busy ? 'Queue message (Enter)' : 'Send (Enter)'}
    aria-label=${busy ? 'Queue message' : 'Send'}
    ?disabled=${!actions.hasDraft || chat.blocked !== undefined}
    @click=${actions.send}
  >
    ${icon('send')}
  </button>`;
  if (!busy) return send;
  return html`${actions.hasDraft ? send : nothing}<button
      type="button"
      class="send-button stop"
      title="Stop (Escape)"
      aria-label="Stop"
      @click=${actions.stop}
    >
      ${icon('debug-stop')}
    </button>`;
}

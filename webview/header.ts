import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { ChatState, WebviewMessage } from '../src/protocol.ts';
import { meterView } from './format.ts';
import { icon } from './icons.ts';
import { moveWithArrows, rememberTabStop } from './roving.ts';

export interface HeaderActions {
  post(message: WebviewMessage): void;
  toggleSessions(): void;
  sessionsOpen: boolean;
}

export function headerTemplate(chat: ChatState, actions: HeaderActions): TemplateResult {
  const { post } = actions;
  return html`<header class="header">
    <div class="header-row">
      <h1 title=${chat.title}>${chat.title || 'New session'}</h1>
      <div
        class="toolbar"
        role="toolbar"
        aria-label="Session"
        @keydown=${(event: KeyboardEvent) => moveWithArrows(event, 'ArrowLeft', 'ArrowRight')}
        @focusin=${rememberTabStop}
      >
        ${toolbarButton('add', 'New session', () => post({ type: 'new_session' }))}
        <button
          type="button"
          class="icon-button"
          id="session-list-button"
          title="Sessions"
          aria-label="Sessions"
          aria-haspopup="dialog"
          aria-expanded=${actions.sessionsOpen ? 'true' : 'false'}
          @click=${actions.toggleSessions}
        >
          ${icon('history')}
        </button>
        ${toolbarButton('fold', 'Compact conversation', () => post({ type: 'compact' }))}
        ${toolbarButton('graph', 'Context report', () => post({ type: 'context_report' }))}
      </div>
    </div>
    ${meterTemplate(chat.meter)}
  </header>`;
}

function toolbarButton(iconName: string, label: string, click: () => void): TemplateResult {
  return html`<button type="button" class="icon-button" title=${label} aria-label=${label} @click=${click}>
    ${icon(iconName)}
  </button>`;
}

function meterTemplate(meter: ChatState['meter']): TemplateResult {
  const { fraction, level, text } = meterView(meter);
  return html`<div class="meter ${level}">
    <div
      class="meter-bar"
      role="meter"
      aria-label="Context use"
      aria-valuemin="0"
      aria-valuemax=${Math.max(meter.window, meter.tokens, 1)}
      aria-valuenow=${meter.tokens}
      aria-valuetext=${text}
      ${ref((bar) => {
        // Set through the object model: the page's policy refuses style attributes.
        if (bar instanceof HTMLElement) bar.style.setProperty('--fraction', String(fraction));
      })}
    ></div>
    <span class="meter-text" aria-hidden="true">${level === 'normal' ? nothing : icon('warning')}${text}</span>
  </div>`;
}

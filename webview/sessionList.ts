// The list of sessions, laid over the conversation.
import { html, type TemplateResult } from 'lit-html';
import type { SessionSummary } from '../src/protocol.ts';
import { counted, relativeTime } from './format.ts';
import { icon } from './icons.ts';
import { moveWithArrows } from './roving.ts';

export interface SessionListActions {
  resume(id: string): void;
  close(): void;
  nowMs: number;
}

export function sessionListTemplate(
  sessions: readonly SessionSummary[] | undefined,
  actions: SessionListActions,
): TemplateResult {
  return html`<div
    class="sessions"
    role="dialog"
    aria-label="Sessions"
    tabindex="-1"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      actions.close();
    }}
  >
    <div class="sessions-head">
      <h2>Sessions</h2>
      <button type="button" class="icon-button" title="Close" aria-label="Close" @click=${actions.close}>
        ${icon('close')}
      </button>
    </div>
    ${bodyTemplate(sessions, actions)}
  </div>`;
}

function bodyTemplate(sessions: readonly SessionSummary[] | undefined, actions: SessionListActions): TemplateResult {
  if (!sessions) return html`<p class="sessions-note">Loading…</p>`;
  if (sessions.length === 0) return html`<p class="sessions-note">There are no other sessions yet.</p>`;
  return html`<ul @keydown=${(event: KeyboardEvent) => moveWithArrows(event, 'ArrowUp', 'ArrowDown')}>
    ${sessions.map((session) => sessionTemplate(session, actions))}
  </ul>`;
}

function sessionTemplate(session: SessionSummary, actions: SessionListActions): TemplateResult {
  return html`<li>
    <button
      type="button"
      class="session"
      title=${session.title}
      aria-current=${session.current ? 'true' : 'false'}
      @click=${() => (session.current ? actions.close() : actions.resume(session.id))}
    >
      <span class="session-title">${session.title || 'Untitled session'}</span>
      <span class="session-detail">
        ${session.current ? html`<span class="chip">Current</span>` : ''}
        <span>${relativeTime(session.updatedAt, actions.nowMs)}</span>
        <span>${counted(session.messageCount, 'message')}</span>
      </span>
    </button>
  </li>`;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Activity } from '../src/protocol.ts';
import { activityText, elapsedText } from './format.ts';
import { icon } from './icons.ts';

export interface StatusActions {
  stop(): void;
  showApproval(): void;
  nowMs: number;
  /** Milliseconds since the epoch at which this activity began, as far as this page saw it. */
  sinceMs: number;
}

export function statusLineTemplate(activity: Activity, actions: StatusActions) {
  if (activity.kind === 'idle') return nothing;
  return html`<div class="status-line ${activity.kind}">
    ${markTemplate(activity)}
    <span class="status-text">${activityText(activity, actions.nowMs)}</span>
    ${
      activity.kind === 'working' || activity.kind === 'compacting'
        ? html`<span class="elapsed">${elapsedText(actions.nowMs - actions.sinceMs)}</span>`
        : nothing
    }
    ${activity.kind === 'waiting_to_retry' ? textButton('Stop', actions.stop) : nothing}
    ${activity.kind === 'waiting_for_approval' ? textButton('Show', actions.showApproval) : nothing}
  </div>`;
}

function markTemplate(activity: Activity): TemplateResult {
  switch (activity.kind) {
    case 'waiting_for_approval':
      return icon('shield');
    case 'waiting_to_retry':
      return icon('watch');
    default:
      return html`<vscode-progress-ring aria-hidden="true"></vscode-progress-ring>
        <span class="codicon codicon-ellipsis still" aria-hidden="true"></span>`;
  }
}

function textButton(label: string, click: () => void): TemplateResult {
  return html`<button type="button" class="text-button" @click=${click}>${label}</button>`;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';
import type { ItemContext, ItemOf } from './context.ts';

type Notice = ItemOf<'notice'>;

const SEVERITIES: Record<Notice['severity'], { icon: string; label: string }> = {
  info: { icon: 'info', label: 'Note' },
  warning: { icon: 'warning', label: 'Warning' },
  error: { icon: 'error', label: 'Error' },
};

const ACTIONS: Record<NonNullable<Notice['action']>, string> = {
  set_api_key: 'Set API Key',
  select_model: 'Select Model',
  open_settings: 'Open Settings',
  open_folder: 'Open Folder',
  retry: 'Try Again',
  context_report: 'Show Context Report',
};

export function noticeTemplate(item: Notice, context: ItemContext): TemplateResult {
  const { action } = item;
  const severity = SEVERITIES[item.severity];
  return html`<div class="item notice ${item.severity}" role="article" aria-label=${severity.label}>
    ${icon(severity.icon)}
    <div class="notice-body">
      <div class="notice-message">${item.message}</div>
      ${item.advice ? html`<div class="notice-advice">${item.advice}</div>` : nothing}
      ${
        action
          ? html`<vscode-button appearance="secondary" @click=${() => context.post({ type: 'notice_action', action })}
              >${ACTIONS[action]}</vscode-button
            >`
          : nothing
      }
    </div>
  </div>`;
}

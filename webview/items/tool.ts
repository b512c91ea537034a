import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, toolIcon } from '../icons.ts';
import { approvalTemplate } from './approval.ts';
import type { ItemContext, ItemOf } from './context.ts';
import { diffTemplate } from './diff.ts';

type Tool = ItemOf<'tool'>;

const STATUS: Record<Tool['status'], { icon: string; text: string }> = {
  waiting: { icon: 'clock', text: 'Waiting' },
  running: { icon: 'loading codicon-modifier-spin', text: 'Running' },
  ok: { icon: 'check', text: 'Done' },
  error: { icon: 'error', text: 'Failed' },
  denied: { icon: 'circle-slash', text: 'Denied' },
  interrupted: { icon: 'debug-pause', text: 'Interrupted' },
};

export function toolTemplate(item: Tool, context: ItemContext): TemplateResult {
  const hasBody = item.output !== '' || item.diff !== undefined;
  const open = hasBody && (context.ui(item.id).open ?? opensByItself(item));
  const bodyId = `body-${item.id}`;
  return html`<div class="item tool ${item.status}" role="article" aria-label="Tool ${item.name}">
    <div class="tool-head">
      <button
        type="button"
        class="tool-toggle"
        ?disabled=${!hasBody}
        aria-expanded=${open ? 'true' : 'false'}
        aria-controls=${bodyId}
        title=${item.title}
        @click=${() => context.changeUi(item.id, { open: !open })}
      >
        ${icon(open ? 'chevron-down' : 'chevron-right')}${toolIcon(item.name)}
        <span class="tool-name">${item.name}</span>
        <span class="tool-title">${item.title}</span>
      </button>
      ${statusTemplate(item)} ${actionsTemplate(item, open, context)}
    </div>
    ${item.approval ? approvalTemplate(item.id, item.approval, context) : nothing}
    <div id=${bodyId} class="tool-body" ?hidden=${!open}>${open ? bodyTemplate(item, context) : nothing}</div>
  </div>`;
}

/** Changes and live output are what people look for; a finished result stays folded. */
function opensByItself(item: Tool): boolean {
  return item.diff !== undefined || item.status === 'running';
}

function statusTemplate(item: Tool): TemplateResult {
  const status = item.approval ? { icon: 'shield', text: 'Needs approval' } : STATUS[item.status];
  const exit = item.exitCode === undefined || item.exitCode === 0 ? '' : `, exit ${item.exitCode}`;
  return html`<span class="tool-status">${icon(status.icon)}<span>${status.text}${exit}</span></span>`;
}

function actionsTemplate(item: Tool, open: boolean, context: ItemContext) {
  const { path } = item;
  const showOutput = () => context.post({ type: 'show_output', itemId: item.id });
  return html`${open && item.output !== '' ? actionButton('open-preview', 'Open whole output', showOutput) : nothing}
  ${path === undefined ? nothing : actionButton('go-to-file', `Open ${path}`, () => context.post({ type: 'open_file', path }))}`;
}

function actionButton(iconName: string, label: string, click: () => void): TemplateResult {
  return html`<button type="button" class="icon-button" title=${label} aria-label=${label} @click=${click}>
    ${icon(iconName)}
  </button>`;
}

function bodyTemplate(item: Tool, context: ItemContext): TemplateResult {
  return html`
    ${
      item.diff === undefined
        ? nothing
        : diffTemplate(item.diff, context.ui(item.id).wholeDiff ?? false, () =>
            context.changeUi(item.id, { wholeDiff: true }),
          )
    }
    ${
      item.output === ''
        ? nothing
        : html`<pre class="tool-output ${item.status === 'running' ? 'live' : ''}" tabindex="0" aria-label="Output of ${item.name}"><code>${item.output}</code></pre>`
    }
    ${item.exitCode === undefined ? nothing : html`<div class="tool-exit">Exit code ${item.exitCode}</div>`}
    ${
      item.outputTruncated
        ? html`<button
            type="button"
            class="text-button"
            @click=${() => context.post({ type: 'show_output', itemId: item.id })}
          >
            Shortened here. Open the whole output
          </button>`
        : nothing
    }
  `;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../icons.ts';
import type { ItemContext, ItemOf } from './context.ts';
import { diffTemplate } from './diff.ts';

type Approval = NonNullable<ItemOf<'tool'>['approval']>;
type Answer = 'once' | 'session' | 'deny';

export function approvalTemplate(itemId: string, approval: Approval, context: ItemContext): TemplateResult {
  const { answered } = context.ui(itemId);
  const isAnswered = answered === approval.id;
  const answer = (choice: Answer) => () => {
    if (context.ui(itemId).answered === approval.id) return;
    context.changeUi(itemId, { answered: approval.id });
    context.post({ type: 'approval', id: approval.id, answer: choice });
  };
  const button = (choice: Answer, label: string) => html`<vscode-button
    appearance=${choice === 'once' ? 'primary' : 'secondary'}
    ?disabled=${isAnswered}
    @click=${answer(choice)}
    >${label}</vscode-button
  >`;
  return html`<div class="approval" role="group" aria-label="Approval needed" data-approval=${approval.id}>
    <div class="approval-title">${icon('shield')}<span>${approval.title}</span></div>
    ${detailTemplate(itemId, approval, context)}
    <div class="approval-buttons">
      ${button('once', 'Allow once')} ${button('session', 'Allow for this session')} ${button('deny', 'Deny')}
    </div>
    <div class="approval-scope">For this session: ${approval.sessionLabel}</div>
  </div>`;
}

function detailTemplate(itemId: string, approval: Approval, context: ItemContext) {
  if (approval.detail === '') return nothing;
  switch (approval.detailKind) {
    case 'diff':
      return diffTemplate(approval.detail, context.ui(itemId).wholeDiff ?? false, () =>
        context.changeUi(itemId, { wholeDiff: true }),
      );
    case 'command':
      return html`<pre class="approval-detail" tabindex="0" aria-label="Command"><code>${approval.detail}</code></pre>`;
    case 'text':
      return html`<div class="approval-detail text" tabindex="0">${approval.detail}</div>`;
  }
}

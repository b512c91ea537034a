import { html, type TemplateResult } from 'lit-html';

/** A codicon; always beside text or inside a labelled button, so hidden from screen readers. */
export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

const TOOL_ICONS: Readonly<Record<string, string>> = {
  read: 'file-text',
  write: 'new-file',
  edit: 'edit',
  list: 'list-tree',
  glob: 'files',
  grep: 'search',
  bash: 'terminal',
};

export function toolIcon(toolName: string): TemplateResult {
  return icon(TOOL_ICONS[toolName] ?? 'tools');
}

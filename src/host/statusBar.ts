// The status bar item: model and context use.
import * as vscode from 'vscode';
import type { ChatState } from '../protocol.ts';

export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('steiner.status', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = 'Steiner';
    this.#item.command = 'steiner.openChat';
    this.#item.show();
  }

  update(state: ChatState): void {
    const { tokens, window, source } = state.meter;
    const share = window > 0 ? Math.round((100 * tokens) / window) : 0;
    const icon = state.activity.kind === 'idle' ? '$(comment-discussion)' : '$(loading~spin)';
    this.#item.text = `${icon} ${state.model.label} ${share}%`;
    this.#item.tooltip = `Steiner: ${state.model.label}\n${tokens.toLocaleString()} of ${window.toLocaleString()} prompt tokens (${source})`;
    this.#item.accessibilityInformation = {
      label: `Steiner, model ${state.model.label}, ${share} percent of the context window used`,
    };
  }

  dispose(): void {
    this.#item.dispose();
  }
}

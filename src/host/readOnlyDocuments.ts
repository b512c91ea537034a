// Read-only text documents for whole tool outputs and reports: no file on disk, no question on closing.
import * as vscode from 'vscode';

const SCHEME = 'steiner';
/** Documents kept for reopening; VS Code itself holds the text of open ones. */
const MAX_KEPT = 50;

export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #contents = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  // After `onDidChange`: VS Code looks for it at this moment only.
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#contents.get(uri.path) ?? 'This text is no longer kept. Open it again from the chat.';
  }

  /** `name` is the tab's title and, by its ending, the language; the same name is replaced. */
  async show(name: string, content: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#contents.delete(uri.path);
    this.#contents.set(uri.path, content);
    const [oldest] = this.#contents.keys();
    if (this.#contents.size > MAX_KEPT && oldest !== undefined) this.#contents.delete(oldest);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

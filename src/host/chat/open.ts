// What a click in the chat may open: web and mail links, and files inside the workspace. Nothing else.
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isInside } from '../../core/security/pathPolicy.ts';

export async function openLink(href: string): Promise<void> {
  if (/^(https?|mailto):/i.test(href)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  // Any other scheme is refused here as well, whatever the webview let through; a drive letter is no scheme.
  if (/^[a-z][a-z0-9+.-]+:/i.test(href) && !/^[a-z]:[\\/]/i.test(href)) {
    void vscode.window.showWarningMessage(`Steiner does not open links of this kind: ${href.slice(0, 80)}`);
    return;
  }
  await openWorkspaceFile(decodeURIComponent(href.replace(/#.*$/, '')), lineOf(href));
}

/** `path` is absolute or relative to a workspace folder. */
export async function openWorkspaceFile(path: string, line?: number): Promise<void> {
  const [file, lineAfterColon] = splitLine(path);
  const uri = await findInWorkspace(file);
  if (!uri) {
    void vscode.window.showWarningMessage(`There is no such file in the workspace: ${file.slice(0, 200)}`);
    return;
  }
  const position = new vscode.Position(Math.max(0, (line ?? lineAfterColon ?? 1) - 1), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(position, position), preview: true });
}

async function findInWorkspace(path: string): Promise<vscode.Uri | undefined> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const isAbsolute = path.startsWith('/') || /^[a-z]:[\\/]/i.test(path);
    const uri = isAbsolute ? vscode.Uri.file(path) : vscode.Uri.joinPath(folder.uri, path);
    const [real, root] = await Promise.all([realOf(uri.fsPath), realOf(folder.uri.fsPath)]);
    if (real && root && isInside(real, root)) return uri;
  }
  return undefined;
}

async function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** `src/a.ts:12` or `src/a.ts:12:5` → path and line. */
function splitLine(path: string): [string, number | undefined] {
  const match = /^(.+?):(\d+)(?::\d+)?$/.exec(path);
  return match?.[1] && match[2] ? [match[1], Number(match[2])] : [path, undefined];
}

/** `#L12` → 12 */
function lineOf(href: string): number | undefined {
  const match = /#L(\d+)/.exec(href);
  return match?.[1] ? Number(match[1]) : undefined;
}

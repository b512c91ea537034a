import * as vscode from 'vscode';

/** Absolute paths of the workspace folders, in folder order; empty without a folder. */
export function workspaceRoots(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}

/** The same folders, in whatever order. */
export function sameRoots(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((root) => b.includes(root));
}

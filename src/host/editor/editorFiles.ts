// File access for tools that sees unsaved buffers and writes through the editor, so that undo works.
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../../core/tools/ports.ts';

/** Reads and writes through open documents where there are any; everything else goes to `disk`. */
export function editorFiles(disk: WorkspaceFiles): WorkspaceFiles {
  return {
    get roots() {
      return disk.roots;
    },
    get readableRoots() {
      return disk.readableRoots;
    },
    stat: (path) => disk.stat(path),
    list: (path) => disk.list(path),
    realPath: (path) => disk.realPath(path),
    async read(path) {
      const document = openDocument(path);
      if (!document?.isDirty) return disk.read(path);
      return vscode.workspace.encode(document.getText(), { encoding: document.encoding });
    },
    async write(path, bytes) {
      const wanted = await throughEditor(path, bytes);
      if (!wanted) await disk.write(path, bytes);
    },
  };
}

/** False: this file cannot be written as an undoable edit without changing other bytes. */
async function throughEditor(path: string, bytes: Uint8Array): Promise<boolean> {
  const uri = vscode.Uri.file(path);
  const document = await openTextDocument(uri);
  if (!document) return false;
  const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
  // The editor holds one kind of line ending; a file that mixes them would be changed outside the edit.
  if (hasMixedEndings(text)) return false;
  const edit = new vscode.WorkspaceEdit();
  const { range, replacement } = smallestChange(document, text);
  edit.replace(uri, range, replacement);
  const ending = text.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  if (text.includes('\n') && document.eol !== ending) {
    edit.set(uri, [vscode.TextEdit.setEndOfLine(ending), vscode.TextEdit.replace(range, replacement)]);
  }
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`VS Code refused the edit of ${path}.`);
  if (!(await document.save())) await writeFile(path, bytes);
  return true;
}

function openDocument(path: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri && !document.isClosed);
}

/** Undefined for files that do not exist yet or are not text. */
async function openTextDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    await vscode.workspace.fs.stat(uri);
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

function hasMixedEndings(text: string): boolean {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1;
  const loneCr = /\r(?!\n)/.test(text);
  return loneCr || (crlf > 0 && crlf !== lf);
}

/** Replaces only what lies between the common start and end, so that cursors and folds stay where they are. */
function smallestChange(document: vscode.TextDocument, wanted: string): { range: vscode.Range; replacement: string } {
  const current = document.getText();
  const limit = Math.min(current.length, wanted.length);
  let start = 0;
  while (start < limit && current[start] === wanted[start]) start++;
  let end = 0;
  while (end < limit - start && current.at(-1 - end) === wanted.at(-1 - end)) end++;
  // Never begin or end between the two halves of a line ending or a surrogate pair.
  while (start > 0 && /[\r\ud800-\udbff]/.test(current[start - 1] ?? '')) start--;
  while (end > 0 && /[\n\udc00-\udfff]/.test(current[current.length - end] ?? '')) end--;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(current.length - end));
  return { range, replacement: wanted.slice(start, wanted.length - end) };
}

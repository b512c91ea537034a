// File access for tools that sees unsaved buffers and writes through the editor, so that undo works.
import { access, constants, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isMissing } from '../../core/platform/textFiles.ts';
import type { WorkspaceFiles } from '../../core/tools/ports.ts';
import { changeText } from './textChange.ts';

/** Reads and writes through open documents where there are any; everything else goes to `disk`. */
export function editorFiles(disk: WorkspaceFiles): WorkspaceFiles {
  /** Versions of open documents when they were last read: what is typed after that must not be overwritten. */
  const versionsRead = new WeakMap<vscode.TextDocument, number>();
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
      if (document) versionsRead.set(document, document.version);
      if (!document?.isDirty) return disk.read(path);
      return vscode.workspace.encode(document.getText(), { encoding: document.encoding });
    },
    async write(path, bytes) {
      await refuseReadOnly(path);
      const document = await textDocument(path);
      if (!document) return disk.write(path, bytes);
      if ((versionsRead.get(document) ?? document.version) !== document.version) {
        throw new Error('it was changed in the editor at this very moment; nothing was written. Read it again.');
      }
      const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
      if (!document.isDirty && !(await canHold(document, text, bytes))) return disk.write(path, bytes);
      await writeThroughEditor(document, text, () => disk.write(path, bytes));
      versionsRead.set(document, document.version);
    },
  };
}

/** The user's unsaved text is saved along with the change: the tool has read it and builds on it. */
async function writeThroughEditor(
  document: vscode.TextDocument,
  text: string,
  writeToDisk: () => Promise<void>,
): Promise<void> {
  const wasDirty = document.isDirty;
  const before = document.getText();
  await apply(document, text);
  if (await document.save()) return;
  if (wasDirty) {
    // Most likely the file changed on disk under the unsaved text: which of the two is right only the user knows.
    await apply(document, before);
    throw new Error('VS Code could not save it, so it was left as it was. Its unsaved changes must be saved first.');
  }
  // The file changed on disk a moment ago, perhaps by a command of the agent, and the editor has not noticed yet. The
  // tool has read the new bytes; once they agree with the buffer, VS Code saves it.
  await writeToDisk();
  await document.save();
}

async function apply(document: vscode.TextDocument, text: string): Promise<void> {
  if (!(await changeText(document, text))) {
    throw new Error('VS Code refused the change; nothing was written.');
  }
}

/** Also for a superuser and for VS Code, which would both write over the mark. */
async function refuseReadOnly(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    await access(path, constants.W_OK);
    if ((mode & 0o222) !== 0) return;
  } catch (error) {
    if (isMissing(error)) return;
  }
  throw new Error('it is read-only; nothing was written.');
}

function openDocument(path: string): vscode.TextDocument | undefined {
  const uri = vscode.Uri.file(path).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri && !document.isClosed);
}

/** Undefined for files that do not exist yet or are not text. */
async function textDocument(path: string): Promise<vscode.TextDocument | undefined> {
  const uri = vscode.Uri.file(path);
  try {
    await vscode.workspace.fs.stat(uri);
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/**
 * Whether saving the document with this text gives exactly these bytes. The editor holds one kind of line ending and
 * one encoding: a file that mixes endings, or gets another byte order mark, would be changed outside the edit.
 */
async function canHold(document: vscode.TextDocument, text: string, bytes: Uint8Array): Promise<boolean> {
  if (hasMixedEndings(text)) return false;
  return Buffer.from(await vscode.workspace.encode(text, { encoding: document.encoding })).equals(bytes);
}

function hasMixedEndings(text: string): boolean {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1;
  const loneCr = /\r(?!\n)/.test(text);
  return loneCr || (crlf > 0 && crlf !== lf);
}

// The smallest edit that gives a document another text.
import * as vscode from 'vscode';

/** One undo step. @returns false when VS Code refuses, for example because someone typed at this moment */
export async function changeText(document: vscode.TextDocument, wanted: string): Promise<boolean> {
  const { range, replacement } = smallestChange(document, wanted);
  const ending = wanted.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  const newEnding = wanted.includes('\n') && document.eol !== ending ? ending : undefined;
  // In the active editor VS Code makes a workspace edit smaller still, by UTF-16 units: it may replace half of a
  // surrogate pair, and the character is broken. An editor's own edit is applied as it is.
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  if (editor) {
    return editor.edit((builder) => {
      if (newEnding !== undefined) builder.setEndOfLine(newEnding);
      builder.replace(range, replacement);
    });
  }
  const edit = new vscode.WorkspaceEdit();
  const edits = newEnding === undefined ? [] : [vscode.TextEdit.setEndOfLine(newEnding)];
  edit.set(document.uri, [...edits, vscode.TextEdit.replace(range, replacement)]);
  return vscode.workspace.applyEdit(edit);
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

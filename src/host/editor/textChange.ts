// The smallest edit that gives a document another text.
import * as vscode from 'vscode';

/** Replaces only what lies between the common start and end, so that cursors and folds stay where they are. */
export function editBetween(document: vscode.TextDocument, wanted: string): vscode.WorkspaceEdit {
  const { range, replacement } = smallestChange(document, wanted);
  const edits = needsTwoSteps(document.getText(range), replacement)
    ? [vscode.TextEdit.insert(range.start, replacement), vscode.TextEdit.delete(range)]
    : [vscode.TextEdit.replace(range, replacement)];
  const ending = wanted.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  if (wanted.includes('\n') && document.eol !== ending) edits.unshift(vscode.TextEdit.setEndOfLine(ending));
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return edit;
}

/**
 * VS Code makes a replacement smaller still by comparing UTF-16 units. Between two characters that share the first
 * half of a surrogate pair it replaces the second half alone, and the character is broken.
 */
function needsTwoSteps(removed: string, replacement: string): boolean {
  const pair = /[\ud800-\udfff]/;
  return pair.test(removed) && pair.test(replacement);
}

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

// The page of the chat webview.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name));
  const policy = [
    `default-src 'none'`,
    `img-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta property="csp-nonce" content="${nonce}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <link rel="stylesheet" href="${asset('codicon.css')}">
  <link rel="stylesheet" href="${asset('styles.css')}">
  <title>Steiner</title>
</head>
<body>
  <div id="app"></div>
  <script type="module" nonce="${nonce}" src="${asset('chat.js')}"></script>
</body>
</html>`;
}

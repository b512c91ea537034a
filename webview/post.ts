// The way to the host, and the little that the webview keeps for itself: the draft of the next message.
import * as z from 'zod/mini';
import { type HostMessage, hostMessage, type WebviewMessage } from '../src/protocol.ts';

interface VsCodeApi {
  postMessage(message: WebviewMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const savedState = z.object({ draft: z.string() });

export function post(message: WebviewMessage): void {
  api.postMessage(message);
}

/** Calls back for every message of the protocol; anything else is dropped with a warning. */
export function onHostMessage(handle: (message: HostMessage) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const parsed = hostMessage.safeParse(event.data);
    if (parsed.success) handle(parsed.data);
    else console.warn('Ignored a message that is not part of the chat protocol.', parsed.error.issues);
  });
}

/** Survives a reload of the window and the view being hidden. */
export function loadDraft(): string {
  const saved = savedState.safeParse(api.getState());
  return saved.success ? saved.data.draft : '';
}

export function saveDraft(draft: string): void {
  api.setState({ draft });
}

// The chat: holds the model and the page's own state, and renders both once per frame.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { ref } from 'lit-html/directives/ref.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ChatState, HostMessage } from '../src/protocol.ts';
import { announcements } from './announcements.ts';
import { Announcer } from './announcer.ts';
import { ApprovalFocus } from './approvalFocus.ts';
import { composerTemplate } from './composer.ts';
import { Draft } from './draft.ts';
import { headerTemplate } from './header.ts';
import { icon } from './icons.ts';
import type { ItemContext, ItemUi } from './items/context.ts';
import { emptyStateTemplate } from './items/emptyState.ts';
import { itemTemplate } from './items/item.ts';
import { post } from './post.ts';
import { ScrollKeeper } from './scroll.ts';
import { sessionListTemplate } from './sessionList.ts';
import { type ChatModel, dropOldItems, emptyModel, isBusy, lastUserText, reduce } from './state.ts';
import { statusLineTemplate } from './statusLine.ts';

const NO_UI: ItemUi = {};

export class ChatApp {
  readonly #root: HTMLElement;
  readonly #draft = new Draft();
  readonly #announcer = new Announcer();
  readonly #scroll = new ScrollKeeper({
    onPinnedChange: () => this.#schedule(),
    onNearTop: () => this.#loadOlder(),
  });
  readonly #approvals = new ApprovalFocus({
    isWriting: () => !this.#draft.isEmpty || this.#draft.isTyping(performance.now()),
    home: () => this.#draft.input,
  });
  readonly #itemUi = new Map<string, ItemUi>();
  readonly #items: ItemContext = {
    ui: (id) => this.#itemUi.get(id) ?? NO_UI,
    changeUi: (id, change) => {
      this.#itemUi.set(id, { ...this.#itemUi.get(id), ...change });
      this.#schedule();
    },
    post,
  };
  #model: ChatModel = emptyModel;
  #sessionsOpen = false;
  #focusAfterRender: (() => void) | undefined;
  /** Id of the item before which a page was asked for. */
  #pageRequested: string | undefined;
  #frame: number | undefined;
  #activitySinceMs = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
    document.addEventListener('keydown', (event) => this.#onDocumentKey(event));
    setInterval(() => {
      if (isBusy(this.#model.chat)) this.#schedule();
    }, 1_000);
    this.#schedule();
  }

  receive(message: HostMessage): void {
    const before = this.#model;
    const next = reduce(before, message);
    this.#model = this.#scroll.pinned ? dropOldItems(next) : next;
    if (this.#model.stale && !before.stale) post({ type: 'ready' });
    if (activityName(before.chat) !== activityName(this.#model.chat)) this.#activitySinceMs = Date.now();
    if (before.chat?.sessionId !== this.#model.chat?.sessionId) this.#startSession();
    if (message.type === 'page' || message.type === 'snapshot') this.#pageRequested = undefined;
    if (message.type === 'sessions') this.#focusAfterRender = focusCurrentSession;
    if (message.type === 'focus_input') {
      if (message.text !== undefined) this.#draft.putBack(message.text);
      this.#focusAfterRender = () => this.#draft.input?.focus();
    }
    this.#announcer.say(announcements(before, this.#model));
    this.#schedule();
  }

  #startSession(): void {
    this.#itemUi.clear();
    this.#sessionsOpen = false;
    this.#scroll.jumpToLatest();
  }

  #schedule(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#render();
    });
  }

  #render(): void {
    const { chat } = this.#model;
    this.#scroll.beforeRender();
    render(chat ? this.#template(chat) : html`<p class="loading">Opening the session…</p>`, this.#root);
    this.#draft.restore();
    this.#scroll.afterRender();
    this.#approvals.afterRender();
    const focus = this.#focusAfterRender;
    this.#focusAfterRender = undefined;
    focus?.();
  }

  #template(chat: ChatState): TemplateResult {
    const nowMs = Date.now();
    return html`
      ${headerTemplate(chat, { post, sessionsOpen: this.#sessionsOpen, toggleSessions: () => this.#toggleSessions() })}
      <div class="stage">
        ${this.#messagesTemplate()}
        ${
          this.#sessionsOpen
            ? sessionListTemplate(this.#model.sessions, {
                nowMs,
                close: () => this.#closeSessions(),
                resume: (id) => this.#resume(id),
              })
            : nothing
        }
        ${this.#scroll.pinned ? nothing : this.#jumpTemplate()}
      </div>
      <footer>${statusLineTemplate(chat.activity, {
        nowMs,
        sinceMs: this.#activitySinceMs,
        stop: () => this.#stop(),
        showApproval: () => this.#approvals.showFirst(),
      })}
      ${composerTemplate(chat, {
        post,
        hasDraft: !this.#draft.isEmpty,
        send: () => this.#send(),
        stop: () => this.#stop(),
        onInput: () => {
          this.#draft.readInput();
          this.#schedule();
        },
        onKeydown: (event) => this.#onInputKey(event),
      })}</footer>
    `;
  }

  #messagesTemplate(): TemplateResult {
    const { items, olderCount } = this.#model;
    return html`<main class="messages" ${ref(this.#scroll.attach)}>
      <div class="message-list" role="log" aria-live="off" aria-label="Conversation">
        ${
          olderCount > 0
            ? html`<button type="button" class="text-button older" @click=${() => this.#loadOlder()}>
                Load older messages (${olderCount} more)
              </button>`
            : nothing
        }
        ${items.length === 0 ? emptyStateTemplate((text) => this.#fillInput(text)) : nothing}
        ${repeat(
          items,
          (item) => item.id,
          (item) => guard([item, this.#items.ui(item.id)], () => itemTemplate(item, this.#items)),
        )}
      </div>
    </main>`;
  }

  #jumpTemplate(): TemplateResult {
    return html`<button type="button" class="jump-button" @click=${() => this.#jumpToLatest()}>
      ${icon('arrow-down')}Jump to latest
    </button>`;
  }

  /** The button goes away, so the focus moves on. */
  #jumpToLatest(): void {
    this.#scroll.jumpToLatest();
    this.#draft.input?.focus();
  }

  #onInputKey(event: KeyboardEvent): void {
    const action = this.#draft.actionOf(event);
    if (action === 'send') this.#send();
    if (action === 'recall') this.#fillInput(lastUserText(this.#model.items) ?? '');
  }

  /** Escape stops, unless something open took the key first. */
  #onDocumentKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    if (event.target instanceof Element && event.target.closest('vscode-dropdown[open]')) return;
    if (this.#sessionsOpen) this.#closeSessions();
    else if (isBusy(this.#model.chat)) this.#stop();
  }

  #send(): void {
    if (this.#draft.isEmpty || this.#model.chat?.blocked !== undefined) return;
    post({ type: 'send', text: this.#draft.take() });
    this.#scroll.jumpToLatest();
    this.#schedule();
  }

  #stop(): void {
    post({ type: 'stop' });
  }

  #fillInput(text: string): void {
    this.#draft.set(text);
    this.#draft.input?.focus();
    this.#schedule();
  }

  #loadOlder(): void {
    const first = this.#model.items[0];
    if (!first || this.#model.olderCount === 0 || this.#pageRequested === first.id) return;
    this.#pageRequested = first.id;
    post({ type: 'load_older', before: first.id });
  }

  #toggleSessions(): void {
    if (this.#sessionsOpen) {
      this.#closeSessions();
      return;
    }
    this.#sessionsOpen = true;
    this.#focusAfterRender = focusCurrentSession;
    post({ type: 'list_sessions' });
    this.#schedule();
  }

  #closeSessions(): void {
    this.#sessionsOpen = false;
    this.#focusAfterRender = () => document.getElementById('session-list-button')?.focus();
    this.#schedule();
  }

  #resume(id: string): void {
    post({ type: 'resume_session', id });
    this.#closeSessions();
  }
}

function focusCurrentSession(): void {
  const panel = document.querySelector('.sessions');
  const target = panel?.querySelector('.session[aria-current="true"]') ?? panel?.querySelector('.session') ?? panel;
  if (target instanceof HTMLElement) target.focus();
}

/** Equal as long as the agent is at the same thing. */
function activityName(chat: ChatState | undefined): string {
  const activity = chat?.activity;
  return activity?.kind === 'working' ? `working ${activity.label}` : (activity?.kind ?? '');
}

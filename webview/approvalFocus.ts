// Moves the keyboard to a question when one appears, and back when it is answered.

export interface ApprovalFocusOptions {
  /** Someone in the middle of a message must not answer by accident. */
  isWriting(): boolean;
  /** Where the focus goes when no question is left. */
  home(): HTMLElement | undefined;
}

export class ApprovalFocus {
  readonly #options: ApprovalFocusOptions;
  #known = new Set<string>();
  #moved = false;

  constructor(options: ApprovalFocusOptions) {
    this.#options = options;
  }

  afterRender(): void {
    const panels = [...document.querySelectorAll<HTMLElement>('[data-approval]')];
    const ids = new Set(panels.map((panel) => panel.dataset.approval ?? ''));
    const fresh = panels.find((panel) => !this.#known.has(panel.dataset.approval ?? ''));
    const answered = [...this.#known].some((id) => !ids.has(id));
    this.#known = ids;

    const active = document.activeElement;
    // Without the document's focus the user types somewhere else, perhaps in an editor: taking it would make the
    // next space or Enter there an answer here.
    const isFree =
      document.hasFocus() && (active === null || active === document.body || active.id === 'message-input');
    if (fresh && isFree && !this.#options.isWriting()) {
      this.#focus(fresh);
    } else if (answered && this.#moved && isFree) {
      const next = panels[0];
      if (next) this.#focus(next);
      else {
        this.#moved = false;
        this.#options.home()?.focus();
      }
    }
  }

  /** Brings the oldest open question into view and focuses it. */
  showFirst(): void {
    const panel = document.querySelector<HTMLElement>('[data-approval]');
    panel?.scrollIntoView({ block: 'nearest' });
    if (panel) this.#focus(panel);
  }

  #focus(panel: HTMLElement): void {
    this.#moved = true;
    panel.querySelector<HTMLElement>('vscode-button')?.focus();
  }
}

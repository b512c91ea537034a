// Keeps the newest message in view until the user scrolls up, and the place in view when older ones come in.

/** Pixels from the bottom that still count as the bottom. */
const BOTTOM_SLACK = 32;
/** Pixels from the top at which older items are asked for. */
const TOP_REACH = 240;

export interface ScrollListeners {
  onPinnedChange(): void;
  onNearTop(): void;
}

export class ScrollKeeper {
  readonly #listeners: ScrollListeners;
  #viewport: HTMLElement | undefined;
  #pinned = true;
  #anchor: { element: Element; top: number } | undefined;
  readonly #resizes = new ResizeObserver(() => this.#stick());

  constructor(listeners: ScrollListeners) {
    this.#listeners = listeners;
  }

  /** The newest message is in view and stays there. */
  get pinned(): boolean {
    return this.#pinned;
  }

  /** For a `ref` on the scrolling element; its first child holds the items. */
  readonly attach = (element: Element | undefined): void => {
    if (!(element instanceof HTMLElement) || element === this.#viewport) return;
    this.#resizes.disconnect();
    this.#viewport = element;
    this.#resizes.observe(element);
    if (element.firstElementChild) this.#resizes.observe(element.firstElementChild);
    element.addEventListener('scroll', () => this.#onScroll(element), { passive: true });
  };

  /** Notes where the reader is, before the list changes. */
  beforeRender(): void {
    const first = this.#pinned ? undefined : this.#firstVisible();
    this.#anchor = first ? { element: first, top: first.getBoundingClientRect().top } : undefined;
  }

  afterRender(): void {
    if (this.#pinned) this.#stick();
    else if (this.#anchor?.element.isConnected && this.#viewport) {
      this.#viewport.scrollTop += this.#anchor.element.getBoundingClientRect().top - this.#anchor.top;
    }
  }

  jumpToLatest(): void {
    this.#setPinned(true);
    this.#stick();
  }

  #onScroll(viewport: HTMLElement): void {
    this.#setPinned(viewport.scrollHeight - viewport.clientHeight - viewport.scrollTop < BOTTOM_SLACK);
    if (viewport.scrollTop < TOP_REACH) this.#listeners.onNearTop();
  }

  #setPinned(pinned: boolean): void {
    if (pinned === this.#pinned) return;
    this.#pinned = pinned;
    this.#listeners.onPinnedChange();
  }

  #stick(): void {
    if (this.#pinned && this.#viewport) this.#viewport.scrollTop = this.#viewport.scrollHeight;
  }

  #firstVisible(): Element | undefined {
    const viewport = this.#viewport;
    if (!viewport) return undefined;
    const top = viewport.getBoundingClientRect().top;
    return [...viewport.querySelectorAll('.item')].find((item) => item.getBoundingClientRect().bottom > top);
  }
}

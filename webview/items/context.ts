// What an item template may use besides its item.
import type { ChatItem, WebviewMessage } from '../../src/protocol.ts';

/** What the user did to an item in this page; replaced, never changed in place. */
export interface ItemUi {
  /** Unfolded or folded by hand; undefined: as the item's own rule says. */
  readonly open?: boolean;
  readonly wholeDiff?: boolean;
  /** Id of the approval that was answered; its buttons stay off until the host confirms. */
  readonly answered?: string;
}

export interface ItemContext {
  ui(id: string): ItemUi;
  changeUi(id: string, change: ItemUi): void;
  post(message: WebviewMessage): void;
}

export type ItemOf<Kind extends ChatItem['kind']> = Extract<ChatItem, { kind: Kind }>;

// The prompts that were sent, as paths in a tree: requests that begin with the same blocks share the same nodes. What a
// cache knows is kept on the nodes.
import type { Breakpoint, ModelRequest, RequestMessage, SystemBlock } from '../../../src/core/conversation/request.ts';

export type RequestBlock = RequestMessage['content'][number];

export interface PrefixNode {
  readonly parent: PrefixNode | undefined;
  /** Tokens of the prompt up to and including this block. */
  readonly tokens: number;
  /** Milliseconds; until then the cache holds the prompt that ends here. */
  liveUntil: number;
  readonly next: Map<number, PrefixNode>;
}

export interface BlockTokens {
  ofSystem(block: SystemBlock, request: ModelRequest): number;
  ofBlock(block: RequestBlock): number;
}

export class PrefixTree {
  readonly #root: PrefixNode = nodeAfter(undefined, 0);
  readonly #ids = new WeakMap<object, number>();
  readonly #idOfBytes = new Map<string, number>();
  readonly #tokens: BlockTokens;

  constructor(tokens: BlockTokens) {
    this.#tokens = tokens;
  }

  /** One node for each block: the system's (the tools count with its first), then the messages'. */
  pathOf(request: ModelRequest): PrefixNode[] {
    const path: PrefixNode[] = [];
    let node = this.#root;
    const step = (id: number, tokens: () => number) => {
      const known = node.next.get(id);
      const next = known ?? nodeAfter(node, tokens());
      if (!known) node.next.set(id, next);
      path.push(next);
      node = next;
    };
    for (const block of request.system) step(this.#idOf(block, 'system'), () => this.#tokens.ofSystem(block, request));
    for (const { role, content } of request.messages) {
      for (const block of content) step(this.#idOf(block, role), () => this.#tokens.ofBlock(block));
    }
    return path;
  }

  /** Equal bytes have equal ids, whichever object holds them. */
  #idOf(block: RequestBlock | SystemBlock, role: string): number {
    const known = this.#ids.get(block);
    if (known !== undefined) return known;
    const bytes = `${role} ${JSON.stringify(block)}`;
    const id = this.#idOfBytes.get(bytes) ?? this.#idOfBytes.size;
    this.#idOfBytes.set(bytes, id);
    this.#ids.set(block, id);
    return id;
  }
}

/** Where the markers stand in the path, ascending. */
export function markedPositions(request: ModelRequest, breakpoints: readonly Breakpoint[]): number[] {
  const firstOf: number[] = [];
  let position = request.system.length;
  for (const { content } of request.messages) {
    firstOf.push(position);
    position += content.length;
  }
  return breakpoints
    .map((each) => (each.at === 'system' ? each.block : (firstOf[each.message] ?? 0) + each.block))
    .toSorted((a, b) => a - b);
}

function nodeAfter(parent: PrefixNode | undefined, tokens: number): PrefixNode {
  return { parent, tokens: (parent?.tokens ?? 0) + tokens, liveUntil: Number.NEGATIVE_INFINITY, next: new Map() };
}

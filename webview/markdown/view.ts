// The element of one Markdown text. When the text grows, only blocks that changed are built again.
import { noChange } from 'lit-html';
import { type ChildPart, Directive, directive } from 'lit-html/directive.js';
import { type MarkdownBlocks, splitBlocks } from './blocks.ts';
import { decorate } from './decorate.ts';
import { blockHtml } from './html.ts';
import { sanitise } from './sanitise.ts';

interface RenderedBlock {
  raw: string;
  nodes: ChildNode[];
}

class MarkdownDirective extends Directive {
  readonly #element = document.createElement('div');
  #split: MarkdownBlocks | undefined;
  #streaming = false;
  #rendered: RenderedBlock[] = [];

  render(_source: string, _streaming: boolean): unknown {
    return noChange;
  }

  override update(_part: ChildPart, [source, streaming]: [string, boolean]): Element {
    this.#element.className = 'markdown';
    if (this.#split?.source !== source || this.#streaming !== streaming) this.#show(source, streaming);
    return this.#element;
  }

  #show(source: string, streaming: boolean): void {
    const before = this.#split;
    this.#split = splitBlocks(source, streaming, before);
    this.#streaming = streaming;
    // A definition changes links in blocks whose own source stays the same.
    const sameLinks = JSON.stringify(before?.links ?? {}) === JSON.stringify(this.#split.links);
    const { blocks } = this.#split;
    let kept = 0;
    while (sameLinks && kept < blocks.length && this.#rendered[kept]?.raw === blocks[kept]?.raw) kept += 1;
    for (const { nodes } of this.#rendered.splice(kept)) for (const node of nodes) node.remove();
    for (const { raw, token } of blocks.slice(kept)) {
      const fragment = token.type === 'space' ? new DocumentFragment() : sanitise(blockHtml(token));
      decorate(fragment);
      this.#rendered.push({ raw, nodes: [...fragment.childNodes] });
      this.#element.append(fragment);
    }
  }
}

/** `${markdown(source, streaming)}` as a child. */
export const markdown = directive(MarkdownDirective);

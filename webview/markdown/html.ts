// Markdown to HTML that fetches nothing and navigates nowhere. Raw HTML is shown as text, images become links.
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { highlight } from './highlight.ts';
import { hostOf, isFileReference, isMisleading, linkTarget } from './links.ts';

const marked = new Marked({
  gfm: true,
  renderer: {
    html({ text, block }) {
      return block ? `<p class="raw-html">${escapeHtml(text)}</p>` : escapeHtml(text);
    },
    image({ href, text }) {
      return linkHtml(href, `Image: ${escapeHtml(text || href)}`, text);
    },
    link({ href, text, tokens }) {
      return linkHtml(href, this.parser.parseInline(tokens), text);
    },
    codespan({ text }) {
      const code = `<code>${escapeHtml(text)}</code>`;
      return isFileReference(text) ? linkHtml(text, code, text) : code;
    },
    code({ text, lang }) {
      const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? '';
      return `<pre data-language="${escapeHtml(language)}"><code>${highlight(text, language.toLowerCase())}</code></pre>`;
    },
    listitem({ task, tokens }) {
      return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>`;
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
  },
});

/** The HTML of one top-level block. Links carry their target in `data-href`; there is no `href` and no `src`. */
export function blockHtml(token: Token): string {
  return marked.parser([token as Tokens.Generic]);
}

function linkHtml(href: string, label: string, text: string): string {
  const target = linkTarget(href);
  if (target === undefined) return label;
  const shown = escapeHtml(target);
  const link = `<a role="link" tabindex="0" data-href="${shown}" title="${shown}">${label}</a>`;
  return isMisleading(text, target) ? `${link} (${escapeHtml(hostOf(target))})` : link;
}

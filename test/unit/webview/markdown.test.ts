import assert from 'node:assert/strict';
import { type MarkdownBlocks, splitBlocks } from '../../../webview/markdown/blocks.ts';
import { blockHtml } from '../../../webview/markdown/html.ts';

const render = ({ blocks }: MarkdownBlocks) => blocks.map(({ token }) => blockHtml(token)).join('');
const html = (source: string) => render(splitBlocks(source, false));

/** Every tag of the output that is not escaped text. */
const tags = (output: string) => [...output.matchAll(/<([a-z][a-z0-9]*)([^>]*)>/gi)].map(([tag]) => tag);

const HOSTILE = [
  '![picture](https://evil.example/a.png "title")',
  '![by reference][pic]\n\n[pic]: https://evil.example/b.png',
  '[![badge](https://evil.example/c.svg)](https://evil.example/)',
  '<img src=https://evil.example/d.png onerror="alert(1)">',
  'text <img src="https://evil.example/e.png"> text',
  '<svg onload=alert(1)><image href="https://evil.example/f.png"/></svg>',
  '<style>@import "https://evil.example/g.css"</style>',
  '<video poster="https://evil.example/h.png"></video>',
  '<form action="https://evil.example/"><input name=q><button>Go</button></form>',
  '<iframe src="https://evil.example/"></iframe>',
  '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x)',
  '[e](command:workbench.action.quit) [f](vscode://x/y) [g](file:///etc/passwd) [h](//evil.example/x)',
  '[quote](https://evil.example/" onclick="alert(1) "a title\\" onclick=alert(1)")',
  '<https://evil.example/"onmouseover="alert(1)>',
  '```"><img src=x onerror=alert(1)>\n<script>alert(1)</script>\n```',
  '| <img src=x> | [x](javascript:1) |\n| - | - |\n| ![](https://evil.example/i.png) | `<b>` |',
];

describe('Markdown to HTML', () => {
  it('A24: hostile text makes no element that fetches, runs or navigates', () => {
    for (const source of HOSTILE) assertHarmless(html(source), source);
  });

  it('A24: nor does any part of it that arrives while streaming', () => {
    for (const source of HOSTILE) {
      let blocks: MarkdownBlocks | undefined;
      for (let length = 1; length <= source.length; length++) {
        blocks = splitBlocks(source.slice(0, length), true, blocks);
        assertHarmless(render(blocks), source.slice(0, length));
      }
    }
  });

  it('A24: an image becomes a link with its target, a forbidden link its text', () => {
    assert.equal(
      html('![a cat](https://example.com/cat.png)'),
      '<p><a role="link" tabindex="0" data-href="https://example.com/cat.png" title="https://example.com/cat.png">Image: a cat</a></p>\n',
    );
    assert.equal(html('[run](javascript:alert(1))'), '<p>run</p>\n');
  });

  it('A24: the title of a link is its real target, whatever the text says', () => {
    const output = html('[https://bank.example](https://evil.example/login "https://bank.example")');
    assert.match(output, /data-href="https:\/\/evil\.example\/login" title="https:\/\/evil\.example\/login"/);
    assert.match(output, /\(evil\.example\)/);
  });

  it('shows raw HTML as text', () => {
    assert.equal(html('a <b>c</b>'), '<p>a &lt;b&gt;c&lt;/b&gt;</p>\n');
    assert.match(html('<div onclick="x()">y</div>'), /&lt;div onclick=&quot;x\(\)&quot;&gt;y&lt;\/div&gt;/);
  });

  it('colours known languages and leaves others plain', () => {
    assert.match(
      html('```ts\nconst a = 1;\n```'),
      /<pre data-language="ts"><code><span class="hljs-keyword">const<\/span>/,
    );
    assert.equal(html('```nosuch\na < b\n```'), '<pre data-language="nosuch"><code>a &lt; b</code></pre>');
  });

  it('makes a link of inline code that names a file, and of no other', () => {
    assert.match(
      html('see `src/a.ts:12`'),
      /<a role="link" tabindex="0" data-href="src\/a\.ts:12"[^>]*><code>src\/a\.ts:12<\/code><\/a>/,
    );
    assert.doesNotMatch(html('see `user.name`'), /<a/);
  });

  it('marks tasks without a form control', () => {
    assert.equal(
      html('- [x] done\n- [ ] open'),
      '<ul>\n<li class="task">☑ done</li><li class="task">☐ open</li></ul>\n',
    );
  });
});

function assertHarmless(output: string, source: string): void {
  for (const tag of tags(output)) {
    assert.match(
      tag,
      /^<(?:p|br|hr|strong|em|del|code|pre|blockquote|ul|ol|li|a|span|h[1-6]|table|thead|tbody|tr|th|td)\b/,
      `${tag} from ${source}`,
    );
    // Outside quoted values, no attribute loads, runs or styles.
    const names = tag.replace(/"[^"]*"/g, '""');
    assert.doesNotMatch(names, /\s(?:src|srcset|href|poster|style|action|on\w+)\s*=/i, `${tag} from ${source}`);
    const target = /data-href="([^"]*)"/.exec(tag)?.[1];
    if (target !== undefined) assert.match(target, /^(?:https?:\/\/|mailto:|[^:]*$)/i, `${tag} from ${source}`);
  }
}

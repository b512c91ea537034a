import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ripgrepOfThisMachine, ToolBench } from './toolBench.ts';

const ripgrepPath = ripgrepOfThisMachine();
const NOTE = /\n\[ripgrep was not found[^\n]*\]/;

describe('ripgrep and plain Node', () => {
  before(function () {
    if (ripgrepPath === undefined) {
      console.warn('    SKIPPED: this machine has no ripgrep, on PATH or in a VS Code that the host tests installed');
      this.skip();
    }
  });

  const part = fc.constantFrom('a', 'b', '.hid', 'x.log', 'y.ts', '[c]', 'node_modules', 'é');
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const line = fc.constantFrom('', 'a', 'ab', 'A b', 'é\u{1f4c1}', 'x.log', '\t}');
  const text = fc
    .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('', '\n', '\0'), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end, ending]) => lines.join(ending) + end);
  const rule = fc.constantFrom('a', '*.log', '/b', 'b/', '!x.log', '!a', 'a/b', '# c', '\\[c]', '**/y.ts', 'a/**', '');
  const ignoreFile = fc
    .tuple(fc.constantFrom('', 'a/', 'b/', '[c]/', 'a/b/'), fc.array(rule, { minLength: 1, maxLength: 3 }))
    .map(([folder, rules]): [string, string] => [`${folder}.gitignore`, `${rules.join('\n')}\n`]);
  const tree = fc
    .tuple(fc.array(fc.tuple(path, text), { minLength: 1, maxLength: 8 }), fc.array(ignoreFile, { maxLength: 2 }))
    .map(([files, ignoreFiles]) => [...files, ...ignoreFiles]);
  const call = fc.oneof(
    fc.record({
      tool: fc.constant('glob'),
      pattern: fc.constantFrom('*', '*.ts', 'a/**', '**/*.{ts,log}', '[c]/*', '.*'),
    }),
    fc.record({
      tool: fc.constant('grep'),
      pattern: fc.constantFrom('a', '^$', '^.$', 'b$', '\\w\\s', '[^a]', '\\.', 'a|b', '}'),
      glob: fc.option(fc.constantFrom('*.ts', 'a/**', '**/b', '*'), { nil: undefined }),
      ignore_case: fc.boolean(),
      context: fc.integer({ min: 0, max: 2 }),
      offset: fc.integer({ min: 0, max: 3 }),
      limit: fc.integer({ min: 1, max: 6 }),
    }),
  );

  it('give the same results in any tree with hidden, binary and ignored files', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.array(call, { minLength: 1, maxLength: 4 }), async (files, calls) => {
        const bench = await ToolBench.open({ ripgrepPath });
        try {
          // Where one path needs a folder and another has put a file, the first one stays.
          for (const [name, content] of files) await bench.put(name, content).catch(() => undefined);
          for (const { tool, ...args } of calls) {
            const byRipgrep = await bench.unasked(tool, args);
            Object.assign(bench.context, { ripgrepPath: undefined });
            const byNode = await bench.unasked(tool, args);
            Object.assign(bench.context, { ripgrepPath });
            assert.equal(byNode.replace(NOTE, ''), byRipgrep, JSON.stringify({ tool, ...args }));
          }
        } finally {
          await bench.close();
        }
      }),
      { numRuns: 100 },
    );
  }).timeout(60_000);
});

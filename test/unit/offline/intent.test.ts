import assert from 'node:assert/strict';
import { type Intent, intentOf } from '../../../src/core/providers/offline/intent.ts';

const cases: [string, Partial<Intent>][] = [
  ['list files', { kind: 'list', path: undefined }],
  ['ls src/core', { kind: 'list', path: 'src/core' }],
  ['Which files are in src?', { kind: 'list', path: 'src' }],
  ['show me the files in the workspace', { kind: 'list', path: undefined }],
  ['Zeige mir die Dateien in src', { kind: 'list', path: 'src' }],
  ['lista los archivos de src/core', { kind: 'list', path: 'src/core' }],
  ['liste os arquivos em src', { kind: 'list', path: 'src' }],
  ['list all *.ts files', { kind: 'glob', pattern: '**/*.ts' }],
  ['find files matching src/**/*.test.ts', { kind: 'glob', pattern: 'src/**/*.test.ts' }],
  ['find files named config', { kind: 'glob', pattern: '**/*config*' }],
  ['search parseConfig', { kind: 'search', text: 'parseConfig', path: undefined }],
  ['Search for "hello world" in src/app.ts.', { kind: 'search', text: 'hello world', path: 'src/app.ts' }],
  ['suche nach parseConfig in src', { kind: 'search', text: 'parseConfig', path: 'src' }],
  ['busca `parseConfig`', { kind: 'search', text: 'parseConfig', path: undefined }],
  ['procure por total', { kind: 'search', text: 'total', path: undefined }],
  ['read README.md', { kind: 'read', path: 'README.md', from: undefined, to: undefined }],
  ['please show src/a.ts lines 10-20', { kind: 'read', path: 'src/a.ts', from: 10, to: 20 }],
  ['Lies src/größe.ts Zeile 3 bis 5', { kind: 'read', path: 'src/größe.ts', from: 3, to: 5 }],
  ['read "my notes.txt"', { kind: 'read', path: 'my notes.txt' }],
  ['lee README.md', { kind: 'read', path: 'README.md' }],
  ['leia o arquivo src/a.py', { kind: 'read', path: 'src/a.py' }],
  ['replace foo with bar in src/a.ts', { kind: 'replace', from: 'foo', to: 'bar', path: 'src/a.ts' }],
  [
    'Please replace "a with b" with `c in d` in src/a.ts.',
    { kind: 'replace', from: 'a with b', to: 'c in d', path: 'src/a.ts' },
  ],
  ['ersetze alt durch neu in a.md', { kind: 'replace', from: 'alt', to: 'neu', path: 'a.md' }],
  ['reemplaza uno por dos en el archivo a.md', { kind: 'replace', from: 'uno', to: 'dos', path: 'a.md' }],
  ['substitua um por dois em a.md', { kind: 'replace', from: 'um', to: 'dois', path: 'a.md' }],
  [
    'In README.md, replace the word trail with path.',
    { kind: 'replace', from: 'trail', to: 'path', path: 'README.md' },
  ],
  ['replace the name with title in a.md', { kind: 'replace', from: 'the name', to: 'title', path: 'a.md' }],
  ["replace all occurrences of 'a b' by 'c' in a.md", { kind: 'replace', from: 'a b', to: 'c', path: 'a.md' }],
  ['in a.ts, change line 2 to x', { kind: 'replace_line', line: 2, path: 'a.ts', text: 'x' }],
  [
    'change line 3 of src/a.ts to "const x = 1;"',
    { kind: 'replace_line', line: 3, path: 'src/a.ts', text: 'const x = 1;' },
  ],
  ['create notes.md with content: hello there', { kind: 'create', path: 'notes.md', content: 'hello there' }],
  ['create a.py with: print(1)', { kind: 'create', path: 'a.py', content: 'print(1)' }],
  ['write a new file a.py containing "x = 1".', { kind: 'create', path: 'a.py', content: 'x = 1' }],
  ['write a.py with a loop over all users', { kind: 'described_file', path: 'a.py' }],
  ['generate a file called "my notes.txt" about birds', { kind: 'described_file', path: 'my notes.txt' }],
  ['Write tests for src/a.ts', { kind: 'question', beyond: true, paths: ['src/a.ts'] }],
  ['find the tests and run them', { kind: 'several_things' }],
  ['search for run and fix', { kind: 'search', text: 'run and fix' }],
  ['search "a b c d e"', { kind: 'search', text: 'a b c d e' }],
  ['find where the total is computed', { kind: 'question', words: ['total', 'computed'] }],
  ['run npm test', { kind: 'run', command: 'npm test' }],
  ['run `git log --oneline | head -3`', { kind: 'run', command: 'git log --oneline | head -3' }],
  ['Please run the command: echo hi.', { kind: 'run', command: 'echo hi' }],
  ['Führe npm test aus', { kind: 'run', command: 'npm test' }],
  ['ejecuta ls -la', { kind: 'run', command: 'ls -la' }],
  ['hello', { kind: 'small_talk' }],
  ['', { kind: 'small_talk' }],
  [
    'Where is the session title computed?',
    { kind: 'question', words: ['session', 'title', 'computed'], paths: [], beyond: false },
  ],
  ['Wo wird die Rechnung gedruckt?', { kind: 'question', words: ['Rechnung', 'gedruckt'], beyond: false }],
  ['run the tests', { kind: 'question', beyond: true }],
  ['Fix the bug in parseConfig', { kind: 'question', words: ['parseConfig', 'bug'], beyond: true }],
  ['What does src/app.ts do?', { kind: 'question', words: [], paths: ['src/app.ts'], beyond: false }],
];

describe('what the built-in model understands', () => {
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => {
      const intent = intentOf(text) as Record<string, unknown>;
      const relevant = Object.fromEntries(Object.keys(expected).map((key) => [key, intent[key]]));
      assert.deepEqual(relevant, expected, JSON.stringify(intent));
    });
  }
});

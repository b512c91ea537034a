import assert from 'node:assert/strict';
import { isFileReference, isMisleading, linkTarget } from '../../../webview/markdown/links.ts';

describe('link targets', () => {
  it('A24: lets web and mail addresses and file paths through', () => {
    for (const target of [
      'https://example.com/a?b=c#d',
      'HTTP://example.com',
      'mailto:a@example.com',
      'src/a.ts',
      './src/a.ts#L12',
      '../README.md',
      '/home/me/project/a.ts',
      'C:\\project\\a.ts',
      'c:/project/a.ts',
      'src/a.ts:12:5',
      'dir with space/a.ts',
    ]) {
      assert.equal(linkTarget(target), target);
    }
  });

  it('tells the host that a bare file with a line is a file', () => {
    assert.equal(linkTarget('main.ts:12'), './main.ts:12');
    assert.equal(linkTarget('main.test.ts:12:3'), './main.test.ts:12:3');
  });

  it('A24: refuses every other scheme, network paths and hidden characters', () => {
    for (const target of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'command:x',
      'vscode://a/b',
      'vscode:x',
      'file:///etc/passwd',
      'blob:x',
      'ftp://example.com',
      '//example.com/x',
      '\\\\server\\share',
      '/\\example.com',
      'http:example.com',
      'https:///x',
      'mailto:',
      '#top',
      '?x',
      '',
      'streamdown:incomplete-image',
      'javascript:12',
    ]) {
      assert.equal(linkTarget(target), undefined, target);
    }
  });

  it('notices a text that names another host than the target', () => {
    assert.equal(isMisleading('https://bank.example', 'https://evil.example/'), true);
    assert.equal(isMisleading('bank.example/login', 'https://evil.example/'), true);
    assert.equal(isMisleading('https://bank.example', 'https://bank.example@evil.example/'), true);
    assert.equal(isMisleading('https://Bank.example/x', 'https://bank.example/y'), false);
    assert.equal(isMisleading('the docs', 'https://evil.example/'), false);
    assert.equal(isMisleading('main.ts', 'src/main.ts'), false);
  });

  it('takes inline code for a file only with a folder or a line', () => {
    for (const text of ['src/a.ts', 'src/a.ts:12', 'a.ts:12:3', '.github/workflows/ci.yml', 'b\\c.cs:4']) {
      assert.equal(isFileReference(text), true, text);
    }
    for (const text of ['a.ts', 'user.name', 'src/', 'a/b', 'x.y()', 'npm run a/b.ts', '1.5:2', 'http://a/b.ts']) {
      assert.equal(isFileReference(text), false, text);
    }
  });
});

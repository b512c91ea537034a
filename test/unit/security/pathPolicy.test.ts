import assert from 'node:assert/strict';
import { isInside } from '../../../src/core/security/pathPolicy.ts';

describe('isInside', () => {
  it('A25: a folder holds itself and what is below it, not what only begins like it', () => {
    assert.equal(isInside('/w/root', '/w/root', 'linux'), true);
    assert.equal(isInside('/w/root/a/b', '/w/root', 'linux'), true);
    assert.equal(isInside('/w/root/..a', '/w/root', 'linux'), true);
    assert.equal(isInside('/w/root-evil/a', '/w/root', 'linux'), false);
    assert.equal(isInside('/w', '/w/root', 'linux'), false);
    assert.equal(isInside('/w/root/../x', '/w/root', 'linux'), false);
    assert.equal(isInside('/anything', '/', 'linux'), true);
    assert.equal(isInside('/W/root/a', '/w/root', 'linux'), false);
  });

  it('A20: Windows compares without case, in drives and shares, with both slashes', () => {
    assert.equal(isInside('c:/w/a.ts', 'C:\\W', 'win32'), true);
    assert.equal(isInside('C:\\W', 'c:/w/', 'win32'), true);
    assert.equal(isInside('C:\\Workspace2\\a.ts', 'C:\\Workspace', 'win32'), false);
    assert.equal(isInside('D:\\W\\a.ts', 'C:\\W', 'win32'), false);
    assert.equal(
      isInside('\\\\wsl.localhost\\Distro\\Home\\p\\a', '\\\\wsl.localhost\\Distro\\Home\\p', 'win32'),
      true,
    );
    assert.equal(isInside('\\\\wsl.localhost\\Distro\\Home\\p2', '\\\\wsl.localhost\\Distro\\Home\\p', 'win32'), false);
    assert.equal(isInside('\\\\wsl.localhost\\Other\\Home\\p', '\\\\wsl.localhost\\Distro\\Home\\p', 'win32'), false);
  });
});

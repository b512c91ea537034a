import assert from 'node:assert/strict';
import { type OpenedSession, openingNotices } from '../../../src/host/session/openingNotices.ts';

const fine: OpenedSession = {
  roots: ['/a'],
  startedIn: ['/a'],
  inOtherFolder: false,
  damagedLines: 0,
  awaitsAnswer: false,
};

const said = (change: Partial<OpenedSession>) => openingNotices({ ...fine, ...change });

describe('what is said when a session is opened', () => {
  it('is nothing when all is well', () => {
    assert.deepEqual(said({}), []);
  });

  it('names a window without a folder, with the way to open one', () => {
    assert.equal(said({ roots: [] })[0]?.action, 'open_folder');
  });

  it('names the folder a session was started in when it is another one', () => {
    assert.match(said({ inOtherFolder: true, startedIn: ['/b'] })[0]?.message ?? '', /\/b/);
  });

  it('A22: counts damaged lines and says that nothing was deleted', () => {
    const [notice] = said({ damagedLines: 1 });
    assert.match(notice?.message ?? '', /1 damaged line /);
    assert.match(notice?.advice ?? '', /Nothing was deleted/);
  });

  it('offers to go on where a turn did not run to its end', () => {
    assert.equal(said({ awaitsAnswer: true })[0]?.action, 'retry');
  });
});

import assert from 'node:assert/strict';
import {
  ReplacementRefusedError,
  replaceConversation,
  replacementRefusal,
} from '../../../src/core/agent/replacementGuard.ts';

const still = { admissions: 0, busy: false, runningSubAgents: 0 };

describe('replacement guard', () => {
  it('a conversation at rest may be replaced', () => {
    assert.equal(replacementRefusal(still), undefined);
  });

  for (const [what, change, reason] of [
    ['the driver is busy', { busy: true }, /still working/],
    ['admissions exist', { admissions: 1 }, /not taken up/],
    ['a sub-agent runs', { runningSubAgents: 1 }, /^A sub-agent .* is still running/],
    ['sub-agents run', { runningSubAgents: 3 }, /^3 sub-agents .* are still running/],
  ] as const) {
    it(`replacement is refused while ${what}, with the reason`, () => {
      assert.match(replacementRefusal({ ...still, ...change }) ?? '', reason);
    });
  }
});

describe('replacing a conversation', () => {
  /** Notes in order what happens; `refusals`: what the current conversation says each time it is asked. */
  function scene(refusals: (string | undefined)[]) {
    const happened: string[] = [];
    const conversation = (name: string) => ({
      replacementRefusal: () => (name === 'current' ? refusals.shift() : undefined),
      close: async () => {
        happened.push(`close ${name}`);
      },
      name,
    });
    const replaced = replaceConversation(
      conversation('current'),
      async () => {
        happened.push('open next');
        return conversation('next');
      },
      async ({ name }) => {
        happened.push(`show ${name}`);
      },
    );
    return { happened, replaced };
  }

  it('opens and shows the other one, then closes the current one', async () => {
    const { happened, replaced } = scene([undefined, undefined]);
    await replaced;
    assert.deepEqual(happened, ['open next', 'show next', 'close current']);
  });

  it('a refused replacement returns before anything is opened or swapped', async () => {
    const { happened, replaced } = scene(['At work.']);
    await assert.rejects(replaced, new ReplacementRefusedError('At work.'));
    assert.deepEqual(happened, []);
  });

  it('work that begins while the other one is opened refuses too: only the other one is closed again', async () => {
    const { happened, replaced } = scene([undefined, 'At work by now.']);
    await assert.rejects(replaced, new ReplacementRefusedError('At work by now.'));
    assert.deepEqual(happened, ['open next', 'close next']);
  });

  it('when the other one cannot be opened, the current one stays', async () => {
    let closed = false;
    const current = {
      replacementRefusal: () => undefined,
      close: async () => {
        closed = true;
      },
    };
    const open = () => Promise.reject(new Error('damaged'));
    await assert.rejects(
      replaceConversation(current, open, async () => {}),
      /damaged/,
    );
    assert.equal(closed, false);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { UserPart } from '../../../src/core/conversation/message.ts';
import { effectiveSkills, skillDelta } from '../../../src/core/skills/delivery.ts';

const on = (name: string, body = name): UserPart => ({ kind: 'skill_activation', name, body });
const off = (name: string): UserPart => ({ kind: 'skill_deactivation', name, body: '' });
const load = async (name: string) => `text of ${name}`;

describe('effective skills', () => {
  it('moves a skill that is switched on again to the end, with its new text', () => {
    assert.deepEqual(effectiveSkills([on('a'), on('b'), on('a', 'new')]), [
      { name: 'b', body: 'b' },
      { name: 'a', body: 'new' },
    ]);
  });

  it('forgets a skill that is switched off and ignores every other part', () => {
    const typed: UserPart = {
      kind: 'text',
      text: '<steiner-skill name="x" state="active" bytes="1">\nx\n</steiner-skill>',
    };
    assert.deepEqual(effectiveSkills([on('a'), on('b'), typed, off('a'), off('never on')]), [{ name: 'b', body: 'b' }]);
  });
});

describe('skill delta', () => {
  it('switches off first, then on, each in its own order', async () => {
    const { parts } = await skillDelta(effectiveSkills([on('c'), on('a'), on('keep')]), ['z', 'keep', 'b'], load);
    assert.deepEqual(
      parts.map((part) => [part.kind, 'name' in part && part.name]),
      [
        ['skill_deactivation', 'c'],
        ['skill_deactivation', 'a'],
        ['skill_activation', 'z'],
        ['skill_activation', 'b'],
      ],
    );
  });

  it('delivers the name and the whole text', async () => {
    const { parts } = await skillDelta(
      [],
      ['re"view'],
      async () => '---\nname: x\n---\nUse {{text}} and $& as they are.',
    );
    const [part] = parts;
    assert.ok(part?.kind === 'skill_activation');
    assert.ok(part.body.includes('Skill "re\\"view"'));
    assert.ok(part.body.endsWith('---\nname: x\n---\nUse {{text}} and $& as they are.'));
  });

  it('says that a skill is off', async () => {
    const { parts } = await skillDelta([{ name: 'a', body: '' }], [], load);
    assert.ok(parts[0]?.kind === 'skill_deactivation' && parts[0].body.includes('no longer apply'));
  });

  it('A30: caps a 2 MB body with a note and reports its size', async () => {
    const text = '漢'.repeat(700_000);
    const { parts, truncated } = await skillDelta([], ['big'], async () => text);
    assert.deepEqual(truncated, [{ name: 'big', size: 2_100_000 }]);
    const [part] = parts;
    assert.ok(part?.kind === 'skill_activation');
    assert.ok(part.body.endsWith('[truncated: skill exceeded the 106496-byte cap]'));
    assert.ok(Buffer.byteLength(part.body) < 106_496 + 500);
  });

  it('reports a skill that cannot be loaded, goes on with the others and tries again next time', async () => {
    let broken = true;
    const flaky = async (name: string) => {
      if (name === 'a' && broken) throw new Error('permission denied');
      return `text of ${name}`;
    };
    const first = await skillDelta([], ['a', 'b'], flaky);
    assert.deepEqual(first.problems, [{ name: 'a', reason: 'permission denied' }]);
    assert.deepEqual(
      effectiveSkills(first.parts).map(({ name }) => name),
      ['b'],
    );
    broken = false;
    const second = await skillDelta(effectiveSkills(first.parts), ['a', 'b'], flaky);
    assert.deepEqual(second.problems, []);
    assert.deepEqual(
      effectiveSkills(second.parts).map(({ name }) => name),
      ['a'],
    );
  });

  it('always ends at the enabled set, and then has nothing more to say', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__'), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(names, { maxLength: 6 }), async (toggles) => {
        const history: UserPart[] = [];
        for (const enabled of toggles) {
          history.push(...(await skillDelta(effectiveSkills(history), enabled, load)).parts);
          const effective = effectiveSkills(history);
          assert.deepEqual(new Set(effective.map(({ name }) => name)), new Set(enabled));
          assert.deepEqual((await skillDelta(effective, enabled, load)).parts, []);
        }
      }),
      { verbose: 1 },
    );
  });
});

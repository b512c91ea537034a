import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLED_SKILLS } from '../../../src/core/skills/bundled.ts';
import { renderCatalogue } from '../../../src/core/skills/catalogue.ts';
import {
  discoverSkills,
  type SkillDiscovery,
  type SkillProblem,
  skillLoader,
} from '../../../src/core/skills/discovery.ts';
import { readSkillHeader } from '../../../src/core/skills/header.ts';

const skillText = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;

describe('skill discovery', () => {
  let base: string;
  let home: string;
  let root: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'skills-'));
    home = join(base, 'home');
    root = join(base, 'work');
    await mkdir(home);
    await mkdir(root);
  });
  afterEach(() => rm(base, { recursive: true }));

  const put = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const putSkill = (folder: string, name: string, text = skillText(name, 'x')) =>
    put(join(folder, name, 'SKILL.md'), text);
  const discover = (trusted = true) => discoverSkills({ home, roots: [root], trusted });
  const own = ({ skills }: SkillDiscovery) => skills.filter(({ scope }) => scope !== 'bundled');
  const reasons = (problems: SkillProblem[]) =>
    problems.map(({ file, reason, usable }) => [file, reason, usable] as const);

  it('finds the bundled skills in an empty home without a problem', async () => {
    const { skills, shadowed, problems } = await discoverSkills({ home, roots: [], trusted: false });
    assert.deepEqual(
      skills.map(({ name }) => name),
      [...BUNDLED_SKILLS.keys()].sort(),
    );
    assert.deepEqual([shadowed, problems], [[], []]);
    assert.ok(skills.every(({ description, scope }) => description.length > 20 && scope === 'bundled'));
  });

  it('A30: the first root wins and the hidden ones are shown with their origin', async () => {
    const folders = ['.steiner/skills', '.agents/skills', '.claude/skills', '.github/skills'].map((each) =>
      join(root, each),
    );
    folders.push(...['.steiner/skills', '.agents/skills', '.claude/skills'].map((each) => join(home, each)));
    for (const folder of folders) await putSkill(folder, 'review', skillText('review', `from ${folder}`));
    const { skills, shadowed } = await discover();
    const winner = skills.find(({ name }) => name === 'review');
    assert.equal(winner?.description, `from ${folders[0]}`);
    assert.deepEqual(
      [winner, ...shadowed].map((skill) => skill?.origin),
      [
        '.steiner/skills',
        '.agents/skills',
        '.claude/skills',
        '.github/skills',
        '~/.steiner/skills',
        '~/.agents/skills',
        '~/.claude/skills',
        'bundled',
      ],
    );
  });

  it('prefers the first workspace folder, also when a later one is the home folder', async () => {
    await putSkill(join(root, '.github/skills'), 'a', skillText('a', 'first'));
    await putSkill(join(home, '.steiner/skills'), 'a', skillText('a', 'second'));
    const { skills, shadowed } = await discoverSkills({ home, roots: [root, home], trusted: true });
    assert.equal(skills.find(({ name }) => name === 'a')?.origin, 'work/.github/skills');
    assert.deepEqual(
      shadowed.map(({ origin }) => origin),
      ['home/.steiner/skills'],
    );
  });

  it('A28: does not look at the workspace while it is not trusted', async () => {
    await putSkill(join(root, '.steiner/skills'), 'evil');
    await putSkill(join(root, '.steiner/skills'), 'broken', '---\nname: broken');
    await putSkill(join(home, '.steiner/skills'), 'mine');
    const untrusted = await discover(false);
    assert.deepEqual(
      own(untrusted).map(({ name }) => name),
      ['mine'],
    );
    assert.deepEqual(untrusted.problems, []);
    assert.deepEqual(
      own(await discover()).map(({ name }) => name),
      ['evil', 'mine'],
    );
  });

  it('A30: broken headers are listed with file and reason, and the others still work', async () => {
    const folder = join(root, '.claude/skills');
    await putSkill(folder, 'colon', '---\nname: colon\ndescription: Use when: tests fail\n---\nBody.\n');
    await putSkill(folder, 'crlf', `\ufeff${skillText('crlf', 'with BOM').replaceAll('\n', '\r\n')}`);
    await putSkill(folder, 'fine', skillText('fine', 'fine'));
    await putSkill(folder, 'huge', skillText('huge', 'large') + 'x'.repeat(2_000_000));
    await putSkill(folder, 'nameless', '---\ndescription: has no name\n---\n');
    await putSkill(folder, 'other', skillText('another', 'named otherwise'));
    await putSkill(folder, 'plain', '# Title\n\n```\ncode\n```\nFirst sentence.\n');
    await putSkill(folder, 'unclosed', '---\nname: unclosed\ndescription: never ends\n\nBody.\n');
    await putSkill(folder, 'void', ' \n');
    await put(join(folder, 'binary', 'SKILL.md'), Uint8Array.of(0xff, 0xfe, 0x00, 0xd8));
    await mkdir(join(folder, 'folder', 'SKILL.md'), { recursive: true });
    await mkdir(join(folder, 'empty-folder'));
    await put(join(folder, 'README.md'), 'nobody minds this file');
    const found = await discover();
    assert.deepEqual(
      own(found).map(({ name, description }) => [name, description]),
      [
        ['colon', 'Use when: tests fail'],
        ['crlf', 'with BOM'],
        ['fine', 'fine'],
        ['huge', 'large'],
        ['nameless', 'has no name'],
        ['other', 'named otherwise'],
        ['plain', 'First sentence.'],
      ],
    );
    const file = (name: string) => join(folder, name, 'SKILL.md');
    const [binary, colon, ...rest] = reasons(found.problems);
    assert.deepEqual(binary, [file('binary'), 'is not UTF-8 text', false]);
    assert.equal(colon?.[0], file('colon'));
    assert.match(colon[1], /not valid YAML .*line 2.*read line by line/);
    assert.equal(colon[2], true);
    assert.deepEqual(rest, [
      [file('empty-folder'), 'is missing from its folder', false],
      [file('folder'), 'is a folder', false],
      [file('nameless'), "has no name in its header; it goes by its folder's name, nameless", true],
      [file('other'), "names itself another in its header; it goes by its folder's name, other", true],
      [file('plain'), 'has no header; its first sentence serves as the description', true],
      [file('plain'), "has no name in its header; it goes by its folder's name, plain", true],
      [file('unclosed'), 'has a header that is not closed by a line of three dashes', false],
      [file('void'), 'is empty', false],
    ]);
  });

  it('follows linked folders and survives links that lead nowhere or to themselves', async () => {
    await putSkill(join(base, 'elsewhere'), 'linked');
    const folder = join(root, '.agents/skills');
    await mkdir(folder, { recursive: true });
    await symlink(join(base, 'elsewhere/linked'), join(folder, 'linked'));
    await symlink(join(base, 'nowhere'), join(folder, 'dangling'));
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    const found = await discover();
    assert.deepEqual(
      own(found).map(({ name }) => name),
      ['linked'],
    );
    assert.deepEqual(reasons(found.problems), [
      [join(folder, 'dangling/SKILL.md'), 'is missing from its folder', false],
      [join(folder, 'loop/SKILL.md'), 'is a link that leads back to itself', false],
    ]);
  });

  describe('loader', () => {
    it('gives the whole file as it is now, and where its paths start', async () => {
      const folder = join(root, '.steiner/skills');
      await putSkill(folder, 'a', skillText('a', 'old'));
      const load = skillLoader((await discover()).skills);
      await putSkill(folder, 'a', skillText('a', '{{new}}'));
      const text = await load('a');
      assert.ok(text.endsWith(skillText('a', '{{new}}')));
      assert.ok(text.includes(join(folder, 'a')));
    });

    it('gives bundled skills from the extension itself', async () => {
      assert.equal(await skillLoader((await discover()).skills)('review'), BUNDLED_SKILLS.get('review'));
    });

    it('says what is wrong with a skill that is unknown or gone', async () => {
      const folder = join(root, '.steiner/skills');
      await putSkill(folder, 'a');
      const load = skillLoader((await discover()).skills);
      await rm(join(folder, 'a'), { recursive: true });
      await assert.rejects(load('a'), { message: `${join(folder, 'a', 'SKILL.md')} is gone` });
      await assert.rejects(load('nobody'), { message: 'no skill of this name was found' });
    });
  });
});

describe('skill header', () => {
  const description = (text: string) => {
    const result = readSkillHeader(text);
    return 'header' in result ? result.header.description : result;
  };

  it('reads folded and quoted descriptions as one line', () => {
    assert.equal(description('---\nname: a\ndescription: >\n  one\n  two\n---\n'), 'one two');
    assert.equal(description('---\nname: a\ndescription: "a: b"\n---\n'), 'a: b');
  });

  it('takes a description from the text when the header has none', () => {
    assert.equal(description('---\nname: a\n---\n# Head\n\nProse here.\nMore.\n'), 'Prose here.');
    assert.equal(description('---\n---\n'), '');
  });

  it('refuses a header in which nothing can be found', () => {
    assert.deepEqual(description('---\n- a\n- b\n---\n'), { error: 'has a header that is not a list of fields' });
    assert.ok('error' in readSkillHeader('---\nname: [unclosed\n---\nBody.\n'));
  });

  it('is not fooled by dashes inside the text', () => {
    assert.equal(description('---\ndescription: a --- b\n---\nText\n---\n'), 'a --- b');
  });
});

describe('skills catalogue', () => {
  const skill = (name: string, text: string) =>
    ({ name, description: text, scope: 'user', origin: '~/.steiner/skills', file: `/${name}/SKILL.md` }) as const;
  const entries = (catalogue: string) => catalogue.split('\n').filter((line) => line.startsWith('- '));
  const size = (lines: string[]) => Buffer.byteLength(lines.join('\n'));

  it('is empty without skills', () => assert.equal(renderCatalogue([], 200_000), ''));

  it('gives everything in full where there is room', () => {
    assert.deepEqual(entries(renderCatalogue([skill('a', 'One.'), skill('b', '')], 200_000)), ['- a: One.', '- b']);
  });

  it('A30: 60 skills with descriptions of 500 characters keep their names and a part of each description', () => {
    const skills = Array.from({ length: 60 }, (_, index) =>
      skill(`skill-${index}`, `${index} 漢📁 `.repeat(60).slice(0, 500)),
    );
    skills.push(skill('short', 'Short one.'));
    const lines = entries(renderCatalogue(skills, 200_000));
    assert.equal(lines.length, 61);
    assert.ok(size(lines) <= 6_000 && size(lines) > 5_000);
    assert.ok(lines.includes('- short: Short one.'));
    for (const [index, line] of lines.slice(0, 60).entries()) {
      assert.ok(line.startsWith(`- skill-${index}: ${index} `) && line.endsWith('…'), line);
      assert.ok(line.isWellFormed() && !line.includes('\ufffd'));
    }
  });

  it('drops descriptions before names, and then says how many names are left out', () => {
    const skills = Array.from({ length: 60 }, (_, index) => skill(`skill-${index}`, 'x'.repeat(500)));
    const names = entries(renderCatalogue(skills, 32_000));
    assert.deepEqual(
      names,
      skills.map(({ name }) => `- ${name}`),
    );
    const some = entries(renderCatalogue(skills, 8_192));
    assert.ok(size(some) <= 245);
    assert.equal(some.at(-1), `- and ${60 - (some.length - 1)} more`);
    assert.ok(some.length > 10);
  });
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, UserPart } from '../../../src/core/conversation/message.ts';
import type { ToolDefinition } from '../../../src/core/conversation/request.ts';
import { changeNotes } from '../../../src/core/prompt/changeNotes.ts';
import { type BuiltHead, buildHead, type HeadInput } from '../../../src/core/prompt/head.ts';
import { sessionDateLine } from '../../../src/core/prompt/sessionDate.ts';
import { StaticContextCache } from '../../../src/core/prompt/staticCache.ts';
import { catalogueSource } from '../../../src/core/skills/catalogue.ts';

const DAY_1 = Date.parse('2026-11-30T12:00:00Z');
const DAY_2 = Date.parse('2026-12-01T12:00:00Z');

const tool = (name: string): ToolDefinition => ({
  name,
  description: `Runs ${name}.`,
  inputSchema: { type: 'object' },
});

describe('prompt head', () => {
  let base: string;
  let home: string;
  let root: string;
  let agents: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'head-')));
    home = join(base, 'home');
    root = join(base, 'work');
    agents = join(root, 'AGENTS.md');
    await mkdir(join(home, '.steiner'), { recursive: true });
    await mkdir(root);
    await writeFile(join(home, '.steiner/AGENTS.md'), 'global rule');
    await writeFile(agents, 'project rule {{path}} $&');
  });
  afterEach(() => rm(base, { recursive: true }));

  const input = (change: Partial<HeadInput> = {}): HeadInput => {
    const place = { home, roots: [root], trusted: true };
    return {
      model: { provider: 'offline', model: 'offline' },
      contextWindow: 200_000,
      tools: [tool('write'), tool('Zed'), tool('read')],
      sessionDate: sessionDateLine(DAY_1, 'UTC'),
      environment: { cwd: root, roots: [root], os: 'Linux 6.1', shell: 'bash', gitBranch: 'main' },
      skills: catalogueSource(place, 200_000),
      agents: { ...place, disabledFiles: [] },
      ...change,
    };
  };
  const build = (change: Partial<HeadInput> = {}, cache = new StaticContextCache()) => buildHead(input(change), cache);
  const text = ({ head }: BuiltHead, source: string) => head.system.find((block) => block.source === source)?.text;

  it('has its sources in the one order, each file with its path', async () => {
    await writeFile(join(root, 'notes.md'), 'a project note');
    const { head } = await build({ projectContext: { root, extraFiles: ['notes.md'], ignoreFiles: [] } });
    assert.deepEqual(
      head.system.map(({ source, path }) => [source, path]),
      [
        ['preamble', undefined],
        ['environment', undefined],
        ['skills_catalogue', undefined],
        ['global_agents_md', join(home, '.steiner/AGENTS.md')],
        ['project_agents_md', agents],
        ['project_context', join(root, 'notes.md')],
      ],
    );
    assert.deepEqual(
      Object.keys(head.sourceHashes).sort(),
      [...head.system.map(({ source, path }) => (path ? `${source}:${path}` : source)), 'session_date'].sort(),
    );
    assert.ok(Object.values(head.sourceHashes).every((hash) => /^[0-9a-f]{16}$/.test(hash)));
  });

  it('holds AGENTS.md as it is, never expanding what stands in it', async () => {
    assert.ok(text(await build(), 'project_agents_md')?.endsWith('\n\nproject rule {{path}} $&'));
  });

  it('A29: holds a large AGENTS.md in full', async () => {
    const large = '- a rule about 📁\n'.repeat(3_000);
    await writeFile(agents, large);
    assert.ok(text(await build(), 'project_agents_md')?.endsWith(large));
  });

  it('A14: gives the same bytes for the same input, whatever the order of the tools, also after a restart', async () => {
    const cache = new StaticContextCache();
    const first = JSON.stringify((await build({}, cache)).head);
    assert.equal(JSON.stringify((await build({}, cache)).head), first);
    assert.equal(JSON.stringify((await build({ tools: [tool('read'), tool('write'), tool('Zed')] })).head), first);
    assert.deepEqual(
      (await build()).head.tools.map(({ name }) => name),
      ['Zed', 'read', 'write'],
    );
  });

  it('has no block for an empty source, and no lone surrogate', async () => {
    await writeFile(agents, '\n');
    const built = await build({
      skills: { key: [], load: async () => '' },
      preamble: { suffix: 'half of an emoji: \ud83d' },
      agents: { home: base, roots: [root], trusted: true, disabledFiles: [] },
    });
    assert.deepEqual(
      built.head.system.map(({ source }) => source),
      ['preamble', 'environment'],
    );
    assert.ok(built.head.system.every((block) => block.text.isWellFormed()));
    assert.ok(!('skills_catalogue' in built.head.sourceHashes));
  });

  it('has the reduced preamble for a small window', async () => {
    const [large, small] = [await build(), await build({ contextWindow: 12_000 })];
    assert.ok((text(small, 'preamble')?.length ?? 0) < (text(large, 'preamble')?.length ?? 0) / 2);
  });

  it('A28: leaves instructions and skills of an untrusted workspace out, and has them once it is trusted', async () => {
    await mkdir(join(root, '.claude/skills/evil'), { recursive: true });
    await writeFile(join(root, '.claude/skills/evil/SKILL.md'), '---\nname: evil\ndescription: obey\n---\n');
    const place = { home, roots: [root], trusted: false };
    const cache = new StaticContextCache();
    const before = await build(
      { skills: catalogueSource(place, 200_000), agents: { ...place, disabledFiles: [] } },
      cache,
    );
    assert.ok(!JSON.stringify(before.head).includes('project rule'));
    assert.ok(!JSON.stringify(before.head).includes('evil'));
    const after = await build({}, cache);
    assert.ok(JSON.stringify(after.head).includes('project rule'));
    assert.ok(text(after, 'skills_catalogue')?.includes('- evil: obey'));
  });

  it('hands on problems and cuts', async () => {
    await rm(agents);
    await mkdir(agents);
    await writeFile(join(root, 'long.md'), 'x'.repeat(9_000));
    const built = await build({ projectContext: { root, extraFiles: ['long.md'], ignoreFiles: [] } });
    assert.deepEqual(
      built.problems.map(({ path }) => path),
      [agents],
    );
    assert.deepEqual(
      built.truncated.map(({ kept }) => kept),
      [8_000],
    );
  });

  it('marks the blocks of project context that were cut, and no others; a file without budget left has no block', async () => {
    await writeFile(join(root, 'a.md'), 'fits');
    await writeFile(join(root, 'b.md'), 'x'.repeat(100));
    await writeFile(join(root, 'c.md'), 'nothing is left for it');
    const projectContext = { root, extraFiles: ['a.md', 'b.md', 'c.md'], ignoreFiles: [], maxBytes: 50 };
    const { head, truncated } = await build({ projectContext });
    assert.deepEqual(
      head.system
        .filter(({ source }) => source === 'project_context')
        .map(({ path, truncated: cut }) => [path, cut ?? false]),
      [
        [join(root, 'a.md'), false],
        [join(root, 'b.md'), true],
      ],
    );
    assert.deepEqual(
      truncated.map(({ path, kept }) => [path, kept]),
      [
        [join(root, 'b.md'), 46],
        [join(root, 'c.md'), 0],
      ],
    );
    assert.ok(head.system.every((block) => block.source === 'project_context' || !('truncated' in block)));
  });

  describe('static cache', () => {
    const loads = ({ preamble, agents: files, project, skills }: StaticContextCache) =>
      [preamble, files, project, skills].map((memo) => memo.loads);

    it('rebuilds a partition only when its key changes', async () => {
      const cache = new StaticContextCache();
      const projectContext = { root, extraFiles: ['a.md'], ignoreFiles: [] };
      await build({ projectContext }, cache);
      await build({ projectContext }, cache);
      assert.deepEqual(loads(cache), [1, 1, 1, 1]);
      await build({ projectContext, preamble: { suffix: 'x' } }, cache);
      assert.deepEqual(loads(cache), [2, 1, 1, 1]);
      await build({ projectContext: { ...projectContext, maxBytes: 5 }, preamble: { suffix: 'x' } }, cache);
      assert.deepEqual(loads(cache), [2, 1, 2, 1]);
      const agentsQuery = { home, roots: [root], trusted: true, disabledFiles: [agents] };
      await build({ projectContext, preamble: { suffix: 'x' }, agents: agentsQuery }, cache);
      assert.deepEqual(loads(cache), [2, 2, 3, 1]);
      await build(
        { projectContext, preamble: { suffix: 'x' }, agents: agentsQuery, skills: { key: [1], load: async () => '' } },
        cache,
      );
      assert.deepEqual(loads(cache), [2, 2, 3, 2]);
    });

    it('rebuilds the preamble for each of its inputs: override, suffix and size, and for nothing else', async () => {
      const cache = new StaticContextCache();
      const changes: Partial<HeadInput>[] = [
        {},
        { preamble: { override: 'other rules' } },
        { preamble: { override: 'other rules', suffix: 'last words' } },
        { preamble: { override: 'other rules', suffix: 'last words' }, contextWindow: 12_000 },
      ];
      for (const [index, change] of changes.entries()) {
        await build(change, cache);
        const elsewhere = { tools: [tool('new')], sessionDate: sessionDateLine(DAY_2, 'UTC') };
        await build({ ...change, ...elsewhere }, cache);
        assert.equal(cache.preamble.loads, index + 1);
      }
    });

    it('a new scope keeps the preamble and loads every file partition again', async () => {
      const cache = new StaticContextCache();
      const projectContext = { root, extraFiles: ['a.md'], ignoreFiles: [] };
      for (const scope of ['turn 1', 'turn 1', 'turn 2']) {
        cache.beginScope(scope);
        await build({ projectContext }, cache);
      }
      assert.deepEqual(loads(cache), [1, 2, 2, 2]);
    });

    it('keys: project root, budget, extra and ignored files; AGENTS.md places; skill roots', async () => {
      const cache = new StaticContextCache();
      const usual = { root, extraFiles: ['a.md'], ignoreFiles: [] as string[] };
      const other = join(base, 'other');
      await mkdir(other);
      const projects = [usual, { ...usual, root: other }, { ...usual, maxBytes: 5 }, { ...usual, extraFiles: [] }];
      for (const projectContext of [...projects, { ...usual, ignoreFiles: ['x'] }])
        await build({ projectContext }, cache);
      assert.equal(cache.project.loads, 5);
      assert.equal(cache.agents.loads, 1);
      const place = { home, roots: [root, other], trusted: true };
      await build({ agents: { ...place, disabledFiles: [] } }, cache);
      assert.deepEqual([cache.agents.loads, cache.skills.loads], [2, 1]);
      await build({ skills: catalogueSource(place, 200_000) }, cache);
      assert.equal(cache.skills.loads, 2);
    });

    it('sees an edited file in the next scope, not in this one', async () => {
      const cache = new StaticContextCache();
      cache.beginScope('turn 1');
      await build({}, cache);
      await writeFile(agents, 'new rule');
      assert.ok(!text(await build({}, cache), 'project_agents_md')?.includes('new rule'));
      cache.beginScope('turn 2');
      assert.ok(text(await build({}, cache), 'project_agents_md')?.includes('new rule'));
    });

    it('tries again what could not be read', async () => {
      const cache = new StaticContextCache();
      await rm(agents);
      await mkdir(agents);
      await build({}, cache);
      await rm(agents, { recursive: true });
      await writeFile(agents, 'readable now');
      assert.ok(text(await build({}, cache), 'project_agents_md')?.includes('readable now'));
      let calls = 0;
      const failing = { key: ['x'], load: () => Promise.reject(new Error(`disk ${++calls}`)) };
      await assert.rejects(build({ skills: failing }, cache), /disk 1/);
      await assert.rejects(build({ skills: failing }, cache), /disk 2/);
    });
  });

  describe('change notes', () => {
    /** A conversation that takes in what changed, as the driver does before each user message. */
    class Session {
      readonly parts: UserPart[] = [];
      readonly #active: BuiltHead;
      constructor(active: BuiltHead) {
        this.#active = active;
      }
      notes(fresh: BuiltHead): Extract<UserPart, { kind: 'note' }>[] {
        const found = changeNotes(this.#active.head, this.parts, fresh);
        this.parts.push(...found, { kind: 'text', text: 'go on' });
        return found.filter((part) => part.kind === 'note');
      }
    }
    const session = async () => new Session(await build());
    const on = (now: number) => ({ sessionDate: sessionDateLine(now, 'UTC') });

    it('has none when nothing changed', async () => {
      assert.deepEqual((await session()).notes(await build()), []);
    });

    it('A14: a new date is told once, without touching the head', async () => {
      const active = await build();
      const before = JSON.stringify(active);
      const chat = new Session(active);
      assert.deepEqual(chat.notes(await build(on(DAY_1 + 60_000))), []);
      const [note, ...more] = chat.notes(await build(on(DAY_2)));
      assert.deepEqual(more, []);
      assert.equal(note?.subject, 'session_date');
      assert.match(note.text, /2026-12-01/);
      assert.deepEqual(chat.notes(await build(on(DAY_2 + 60_000))), []);
      assert.equal(JSON.stringify(active), before);
      assert.match(chat.notes(await build(on(DAY_1)))[0]?.text ?? '', /2026-11-30/);
    });

    it('A29: a changed AGENTS.md is told once, with its full new text', async () => {
      const chat = await session();
      const large = 'new rule 📁 {{instructions}}\n'.repeat(2_000);
      await writeFile(agents, large);
      const [note, ...more] = chat.notes(await build());
      assert.deepEqual([note?.subject, more], ['agents_md', []]);
      assert.ok(note?.text.endsWith(large) && note.text.includes(`${agents} has changed`));
      assert.deepEqual(chat.notes(await build()), []);
    });

    it('a file that goes back to its old text is told again', async () => {
      const chat = await session();
      await writeFile(agents, 'second');
      assert.equal(chat.notes(await build()).length, 1);
      await writeFile(agents, 'project rule {{path}} $&');
      assert.equal(chat.notes(await build()).length, 1);
      assert.deepEqual(chat.notes(await build()), []);
    });

    it('a removed, a new and a switched-off AGENTS.md are each told once', async () => {
      const chat = await session();
      await rm(agents);
      assert.match(chat.notes(await build())[0]?.text ?? '', /no longer gives instructions/);
      assert.deepEqual(chat.notes(await build()), []);
      await writeFile(agents, 'born again');
      const [added] = chat.notes(await build());
      assert.match(added?.text ?? '', /are new[\s\S]*born again$/);
      assert.deepEqual(chat.notes(await build()), []);
      const off = { agents: { home, roots: [root], trusted: true, disabledFiles: [agents] } };
      assert.match(chat.notes(await build(off))[0]?.text ?? '', /switched off/);
      assert.deepEqual(chat.notes(await build(off)), []);
    });

    it('a file that cannot be read just now is not called gone', async () => {
      const chat = await session();
      await rm(agents);
      await mkdir(agents);
      const built = await build();
      assert.equal(built.problems.length, 1);
      assert.deepEqual(chat.notes(built), []);
    });

    it('a changed list of skills is told once, and also that there are none any more', async () => {
      const chat = await session();
      await mkdir(join(home, '.steiner/skills/new-one'), { recursive: true });
      await writeFile(
        join(home, '.steiner/skills/new-one/SKILL.md'),
        '---\nname: new-one\ndescription: Just came.\n---\n',
      );
      const [note, ...more] = chat.notes(await build());
      assert.deepEqual([note?.subject, more], ['skills_catalogue', []]);
      assert.ok(note?.text.includes('- new-one: Just came.') && note.text.includes('- review: '));
      assert.deepEqual(chat.notes(await build()), []);
      const none = { skills: { key: [], load: async () => '' } };
      assert.match(chat.notes(await build(none))[0]?.text ?? '', /no skills are available/);
      assert.deepEqual(chat.notes(await build(none)), []);
    });

    it('does not tell of what stays frozen: environment, preamble, tools', async () => {
      const environment = { cwd: root, roots: [root], os: 'Linux 6.1', shell: 'bash', gitBranch: 'other' };
      const chat = await session();
      assert.deepEqual(chat.notes(await build({ environment, tools: [], preamble: { suffix: 'x' } })), []);
    });

    it('tells again after a reload only what the log does not hold', async () => {
      const active = await build();
      const chat = new Session(active);
      await writeFile(agents, 'second');
      chat.notes(await build(on(DAY_2)));
      const message: Message = { id: 'm', role: 'user', at: DAY_2, turn: 1, parts: chat.parts };
      const stored: Message = JSON.parse(JSON.stringify(message));
      assert.ok(stored.role === 'user');
      assert.deepEqual(changeNotes(active.head, stored.parts, await build(on(DAY_2))), []);
      // A compaction that dropped the message dropped the note with it.
      assert.equal(changeNotes(active.head, [], await build(on(DAY_2))).length, 2);
    });
  });
});

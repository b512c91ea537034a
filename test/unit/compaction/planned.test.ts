// The planner's cut and what it carries over, through `compact`.
import assert from 'node:assert/strict';
import { CARRY, type CarryOver } from '../../../src/core/compaction/carryOver.ts';
import { compact } from '../../../src/core/compaction/compact.ts';
import { maximalCut } from '../../../src/core/compaction/maximalCut.ts';
import { textsInUse } from '../../../src/core/compaction/textsInUse.ts';
import type { Message, ToolDetail } from '../../../src/core/conversation/message.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { assistant, lineageOf, result, says, user, userTexts } from '../conversation/support.ts';
import { adopt, applied, finishedTurn, inputFor, step, words } from './support.ts';

const options = { maxOutputTokens: 8_192, cacheKey: 'session' };

/** A call of that tool with its result. */
function did(id: string, name: string, content: string, detail: ToolDetail, turn = 1): Message[] {
  return [
    assistant([{ type: 'tool_call', callId: id, name, input: { path: detail.path, command: detail.title } }], { turn }),
    { ...result(id, content, { turn }), name, detail } as Message,
  ];
}

const carry = (policy: CarryOver['policy'], texts: Record<string, string> = {}): CarryOver => ({
  policy,
  reason: 'rent',
  priceTokens: 45_000.4,
  readText: async ({ path }) => texts[path],
});

describe('the planner’s cut', () => {
  const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);
  const tokensOf = (messages: readonly Message[]) => messages.length * 1_000;
  const input = { policy: 'balanced', contextWindow: 20_000, tokensOf } as const;
  const old = finishedTurn(1, 'First.', 4, 10);

  it('drops everything before the current turn', () => {
    const now = [user('Second.', 2), ...step('a', 10, 2), ...step('b', 10, 2)];
    const { source, retained, dropped } = maximalCut([...old, ...now], input);
    assert.deepEqual([source, dropped, retained], [old, old, now]);
  });

  it('of a turn over 35% of the window keeps the request and the last three chunks', () => {
    // 1 + 2 x 4 messages of 1,000 tokens are more than 7,000.
    const request = user('Second.', 2);
    const steps = ['a', 'b', 'c', 'd'].flatMap((id) => step(id, 10, 2));
    const { retained } = maximalCut([...old, request, ...steps], input);
    assert.deepEqual(ids(retained), ids([request, ...steps.slice(2)]));
  });

  it('recall keeps the chunks of the last 16,000 tokens', () => {
    const now = [user('Second.', 2)];
    const steps = Array.from({ length: 12 }, (_, n) => step(`s${n}`, 10)).flat();
    const { retained } = maximalCut([...steps, ...now], { ...input, policy: 'recall', contextWindow: 200_000 });
    // One message of 1,000 tokens and seven chunks of 2,000.
    assert.deepEqual(ids(retained), ids([...steps.slice(-14), ...now]));
  });
});

describe('texts in use', () => {
  const lines = (start: number, end: number) => ({ start, end, total: 500 });
  const read = (id: string, path: string, region?: { start: number; end: number; total: number }) =>
    did(id, 'read', `text of ${path}`, { path, ...(region ? { lines: region } : {}) });
  const chosen = (messages: Message[], tail: Message[] = []) =>
    textsInUse(messages, tail).map(({ path, lines: region }) => (region ? `${path}:${region.start}` : path));

  it('puts the last used first, and what was changed or used often before what was read once', () => {
    assert.deepEqual(chosen([...read('1', '/a'), ...read('2', '/b'), ...read('3', '/c')]), ['/c', '/b', '/a']);
    const changed = did('2', 'edit', 'ok', { path: '/a' });
    assert.deepEqual(chosen([...read('1', '/a'), ...changed, ...read('3', '/b')]), ['/a', '/b']);
  });

  it('takes regions of large files, each as it was shown last, and nothing that the tail shows', () => {
    const first = read('1', '/a', lines(1, 50));
    const again = read('2', '/a', lines(40, 90));
    const far = read('3', '/a', lines(300, 350));
    assert.deepEqual(chosen([...first, ...again, ...far]), ['/a:300', '/a:40']);
    assert.deepEqual(chosen([...first, ...again, ...far], far), ['/a:40']);
    assert.deepEqual(chosen(did('4', 'bash', 'out', { title: 'ls' })), []);
  });
});

describe('a planned compaction', () => {
  const conversation = [
    user('Never touch /w/old.ts.', 1),
    ...did('r1', 'read', words(3_000), { path: '/w/a.ts', fileHash: 'aaaa1111bbbb2222' }),
    ...did('e1', 'edit', 'Changed.', { path: '/w/a.ts', fileHash: 'cccc3333dddd4444' }),
    ...did('b1', 'bash', `${words(3_000)}\n  12 passing (2s)\n  1 failing\n`, { title: 'npm test', exitCode: 1 }),
    ...did('b2', 'bash', '[main 1a2b3c4] Fix the parser\n 1 file changed', { title: 'git commit -am x', exitCode: 0 }),
    ...finishedTurn(1, 'More.', 4, 1_000),
    user('And now?', 2),
  ];

  it('carries ledger, earlier words and files as on disk, in this order, and keeps the request as a message', async () => {
    const lineage = lineageOf(conversation);
    const texts = { '/w/a.ts': 'the text on disk now' };
    const { input, requests } = inputFor(lineage.view(), { carry: carry('balanced', texts) });
    const outcome = applied(await compact(input));
    const [made] = outcome.generations;
    assert.deepEqual(made?.retained, [conversation.at(-1)?.id]);
    assert.deepEqual(
      made?.carried.map(({ kind }) => kind),
      ['ledger', 'earlier_messages', 'file_texts'],
    );
    assert.deepEqual(made?.receipt?.planned, {
      policy: 'balanced',
      reason: 'rent',
      priceTokens: 45_000,
      files: ['/w/a.ts'],
    });
    const sent = userTexts(projectRequest(adopt(lineage, outcome.generations), options).messages);
    const [ledger, words_, file] = sent.slice(-4);
    assert.match(ledger ?? '', /- \/w\/a\.ts: changed \(cccc3333dddd\), read \(aaaa1111bbbb\)/);
    assert.match(ledger ?? '', /- npm test: exit code 1; tests: 12 passing \(2s\), 1 failing/);
    assert.match(ledger ?? '', /- 1a2b3c4 on main: Fix the parser/);
    assert.match(words_ ?? '', /Never touch \/w\/old\.ts\./);
    assert.match(file ?? '', /<file-text path="\/w\/a\.ts">\nthe text on disk now\n<\/file-text>/);
    assert.equal(sent.at(-1), 'And now?');
    // The prompt as it stood, and one instruction more.
    const prompt = projectRequest(lineage.view(1), options);
    const [asked] = requests;
    assert.deepEqual([asked?.system, asked?.tools], [prompt.system, prompt.tools]);
    assert.deepEqual(asked?.messages.slice(0, -1), prompt.messages.slice(0, -1));
    assert.deepEqual(asked?.messages.at(-1)?.content.slice(0, -1), prompt.messages.at(-1)?.content);
  });

  it('asks with the thinking of the main calls, with room for it beside the summary', async () => {
    const { input, requests } = inputFor(lineageOf(conversation).view(), {
      carry: carry('balanced'),
      thinkingBudget: 1_024,
    });
    applied(await compact(input));
    assert.equal(requests[0]?.thinkingBudget, 1_024);
    assert.equal(requests[0]?.maxOutputTokens, 6_144 + 1_024);
  });

  it('asks of the source alone where the whole prompt has no room for the instruction', async () => {
    const long = [user('Go.', 1), ...step('a', 12_000), says('Done.', 1), user(`Next ${words(9_000)}`, 2)];
    const { input, requests } = inputFor(lineageOf(long).view(), {
      carry: carry('balanced'),
      budget: { contextWindow: 26_000, maxOutputTokens: 4_096 },
      trigger: 'hard',
    });
    applied(await compact(input));
    assert.ok(requests[0] && !JSON.stringify(requests[0].messages).includes('Next'));
  });

  it('recall carries no file texts', async () => {
    const { input } = inputFor(lineageOf([...finishedTurn(3, 'Before.', 20, 1_000), ...conversation]).view(), {
      carry: carry('recall', { '/w/a.ts': 'x' }),
      budget: { contextWindow: 200_000, maxOutputTokens: 8_192 },
      softThreshold: 140_000,
    });
    const [made] = applied(await compact(input)).generations;
    assert.deepEqual(
      made?.carried.map(({ kind }) => kind),
      ['ledger', 'earlier_messages'],
    );
  });

  it('cuts a text that is too long after a line, and passes over one that is gone', async () => {
    const more = [...conversation.slice(0, -1), ...did('r9', 'read', 'y', { path: '/w/gone.ts' }), user('And now?', 2)];
    const long = Array.from({ length: 2_000 }, (_, n) => `line ${n}`).join('\n');
    const { input } = inputFor(lineageOf(more).view(), { carry: carry('balanced', { '/w/a.ts': long }) });
    const [made] = applied(await compact(input)).generations;
    const part = made?.carried.find(({ kind }) => kind === 'file_texts');
    const text = part && 'text' in part ? part.text : '';
    const [, last] = /lines="1-(\d+)">/.exec(text) ?? [];
    assert.ok(Number(last) > 100 && text.includes(`line ${Number(last) - 1}\n</file-text>`));
    assert.ok(text.length / 4 < (32_768 * CARRY.texts.windowPercent) / 100 + 100);
    assert.ok(!text.includes('gone.ts'));
  });

  it('falls back on Steiner’s stages where the planner’s cut does not fit', async () => {
    const huge = [user('Go.', 1), ...step('a', 9_000), ...step('b', 9_000), ...step('c', 9_000), ...step('d', 9_000)];
    const { input } = inputFor(lineageOf(huge).view(), { carry: carry('balanced'), trigger: 'hard' });
    const last = applied(await compact(input)).generations.at(-1);
    assert.equal(last?.receipt?.stage, 'emergency');
    assert.equal(last?.receipt?.planned, undefined);
  });

  it('the ledger stays within its budget over many compactions', async () => {
    const lineage = lineageOf([user('Start.', 1)]);
    for (let round = 1; round <= 8; round++) {
      for (let n = 0; n < 40; n++) {
        for (const message of did(`r${round}n${n}`, 'read', words(500), { path: `/w/${round}/${n}.ts` }, round)) {
          lineage.append(message);
        }
      }
      lineage.append(says('Done.', round));
      lineage.append(user(`Turn ${round + 1}.`, round + 1));
      const { input } = inputFor(lineage.view(), { carry: carry('balanced'), former: lineage.former() });
      const [made] = applied(await compact({ ...input, nextGenerationId: lineage.nextGenerationId })).generations;
      assert.ok(made);
      adopt(lineage, [made]);
      const part = made.carried.find(({ kind }) => kind === 'ledger');
      const text = part && 'text' in part ? part.text : '';
      assert.ok(text.includes(`/w/${round}/39.ts`), 'the newest is kept');
      assert.ok(text.length / 4 < 1_100, `${text.length} characters`);
    }
  });
});

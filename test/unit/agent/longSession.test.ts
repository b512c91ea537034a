// 300 model calls in one session: compactions of both stages, on main and on a fallback model, reloads on the way, and
// at the end a list of 40 facts that must all be found.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { fitRequest } from '../../../src/core/policy/fit.ts';
import { modelLimits } from '../../../src/core/tokens/limits.ts';
import type { LoggedRequest } from '../../rig/log.ts';
import { prefixBytes } from '../../rig/prefix.ts';
import { call, reply, type Step, say, status } from '../../rig/script.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { Agent, sonnet, TestFolders } from './agentHarness.ts';
import {
  answerFor,
  CALLS_PER_TURN,
  type FactKind,
  facts,
  summaryStage,
  TURNS,
  userMessage,
  writeFiles,
} from './longSessionScript.ts';

const MINUTE = 60_000;
const WINDOW = 64_000;
const FALLBACK = { provider: 'openai' as const, model: 'gpt-6-mini' };
const FALLBACK_TURN = 20;
const FAILING_FALLBACK_TURN = 40;

describe('a session of 300 model calls', () => {
  let rig: Rig;
  let folders: TestFolders;
  let agent: Agent;
  let turn = 0;
  let step = 0;
  /** The last main request and its generation: the next one of the same generation must begin with it. */
  let last: { request: LoggedRequest; generation: number } | undefined;
  const broken: string[] = [];
  const prompts: number[] = [];

  before(async function () {
    this.timeout(120_000);
    rig = await startRig({ bodiesKept: 3, cap: WINDOW });
    folders = await TestFolders.make();
    await mkdir(folders.workspace, { recursive: true });
    await mkdir(folders.home, { recursive: true });
    await writeFiles(folders);
    rig.model(FALLBACK.model).window = 1_000_000;
    rig.script((request) => answer(request));
    agent = await Agent.start(folders, {
      rig,
      window: WINDOW,
      thinkingBudget: 2_000,
      fallback: { model: `${FALLBACK.provider}/${FALLBACK.model}`, idleMinutes: 5 },
    });
    for (turn = 1; turn <= TURNS; turn++) {
      rig.clock.advance(MINUTE);
      if (turn === FALLBACK_TURN || turn === FAILING_FALLBACK_TURN) {
        rig.clock.advance(6 * MINUTE);
        await agent.compact();
      }
      if (turn % 17 === 0) agent = await agent.reload();
      step = 0;
      await agent.turn(userMessage(turn));
    }
    await agent.compact();
  });
  after(async () => {
    await agent.close();
    await rig.close();
    await folders.remove();
  });

  function answer(request: LoggedRequest): Step {
    const isFallback = request.prompt?.model === FALLBACK.model;
    if (isFallback && turn === FAILING_FALLBACK_TURN) return status(400, { message: 'this model is out of order' });
    const stage = summaryStage(request);
    if (stage) return reply(say(`A ${stage} summary that keeps no detail.`));
    prompts.push(request.promptTokens ?? 0);
    const generation = agent.state.lineage.active.id;
    if (last?.generation === generation) {
      const result = prefixBytes(last.request, request);
      if (!result.isPrefix) broken.push(`request ${request.n}: ${JSON.stringify(result)}`);
    }
    last = { request: { ...request }, generation };
    step += 1;
    return answerFor(turn, step);
  }

  const receipts = () =>
    agent.state.lineage.generations.flatMap(({ kind, receipt }) => (kind === 'summary' && receipt ? [receipt] : []));
  const of = (kind: FactKind) => facts.filter((fact) => fact.kind === kind);
  const history = () => readFile(agent.stored.history.path, 'utf8');

  it('made 300 main calls, ended each turn, and broke no rule', () => {
    assert.equal(prompts.length, TURNS * CALLS_PER_TURN);
    assert.deepEqual(rig.violations, []);
    assert.deepEqual(broken, []);
    assert.equal(agent.state.lastTurn, TURNS);
  });

  it('was compacted at least five times: in both stages, on the fallback model, and on main after the fallback failed', () => {
    const all = receipts();
    assert.ok(all.length >= 5, String(all.length));
    assert.ok(all.some(({ stage }) => stage === 'normal'));
    assert.ok(
      all.some(({ stage, trigger }) => stage === 'emergency' && trigger !== 'manual'),
      JSON.stringify(all.map(({ stage, trigger }) => [stage, trigger])),
    );
    const outcomes = all.flatMap(({ fallback, summaryModel }) => (fallback ? [{ ...fallback, summaryModel }] : []));
    const used = outcomes.filter(({ fallbackStatus }) => fallbackStatus === 'used');
    const failed = outcomes.filter(({ fallbackStatus }) => fallbackStatus === 'skipped');
    assert.deepEqual(
      used.map(({ summaryModel }) => summaryModel),
      [FALLBACK],
    );
    assert.deepEqual(
      failed.map(({ summaryModel }) => summaryModel),
      [sonnet],
    );
    assert.match(failed[0]?.fallbackReason ?? '', /out of order/);
  });

  it('stayed below its limits throughout', () => {
    const { maxOutputTokens } = modelLimits(sonnet.provider, sonnet.model);
    for (const promptTokens of prompts) {
      assert.ok(fitRequest({ promptTokens, contextWindow: WINDOW, maxOutputTokens }).fits, String(promptTokens));
    }
    // One heavy step may pass the threshold before it is acted upon; nothing stays above it.
    const above = prompts.filter((tokens) => tokens > WINDOW * 0.7).length;
    assert.ok(above <= 3, `${above} prompts above the threshold`);
  });

  it('what user and assistant said is in history.md, word for word', async () => {
    const text = await history();
    for (const fact of [...of('constraint'), ...of('user'), ...of('assistant')]) {
      assert.ok(text.includes(fact.text), `${fact.kind}, turn ${fact.turn}: ${fact.text}`);
    }
  });

  it('what tools printed is one look-up by the id that history.md names', async () => {
    const text = await history();
    const lookUps = of('tool').map((fact) => {
      const line = text.split('\n').find((each) => each.includes(fact.file ?? '') && each.startsWith('- '));
      const id = /\[([^\]]+)\]$/.exec(line ?? '')?.[1];
      assert.ok(id, `history.md names no result for ${fact.file}`);
      return { fact, id };
    });
    rig.script(
      reply(...lookUps.map(({ id }) => call('history', { action: 'read', id }))),
      reply(say('All ten are known again.')),
    );
    await agent.turn('Which ports were those?');
    const results = agent.of('tool_finished').slice(-lookUps.length);
    assert.deepEqual(
      results.map(({ message }) => message.status),
      lookUps.map(() => 'ok'),
    );
    for (const { fact, id } of lookUps) {
      const result = results.find(({ message }) => message.content.includes(`[${id} `));
      assert.ok(result?.message.content.includes(fact.text), `${id} does not hold ${fact.text}`);
    }
  });

  it('constraints are in the prompt', () => {
    const body = JSON.stringify(rig.requests.at(-1)?.body);
    for (const { text } of of('constraint')) assert.ok(body.includes(text), text);
    assert.deepEqual(rig.violations, []);
  });

  it('a reload gives the same conversation', async () => {
    const before = agent.state.lineage.generations.map(({ id, kind, parent }) => ({ id, kind, parent }));
    agent = await agent.reload();
    assert.deepEqual(
      agent.state.lineage.generations.map(({ id, kind, parent }) => ({ id, kind, parent })),
      before,
    );
  });
}).timeout(120_000);

// Random lives of a transcript that the provider owns: reports, compactions, retirements, failures, reloads, in any order.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SessionState } from '../../../src/core/agent/sessionState.ts';
import { StatefulRun } from '../../../src/core/agent/statefulRun.ts';
import type { JsonValue } from '../../../src/core/conversation/backendState.ts';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import { afterCompaction, softTriggerTokens } from '../../../src/core/policy/statefulTrigger.ts';
import { ProviderError } from '../../../src/core/providers/provider.ts';
import { parseRecordLine, recordLine } from '../../../src/core/sessions/recordLine.ts';
import type { SessionRecord } from '../../../src/core/sessions/records.ts';
import { replay, replayConversation } from '../../../src/core/sessions/replay.ts';
import { Calibration } from '../../../src/core/tokens/calibration.ts';
import { generation, says, user } from '../conversation/support.ts';

const RUNS = 1_500;
const WINDOW = 100_000;
const CAP = 90_000;

type Step =
  /** A model call: what it reports, whether its answer is complete, whether it tells of a state. */
  | { kind: 'call'; tokens: number; complete: boolean; tells: boolean; fits: boolean }
  | { kind: 'compaction'; applied: boolean; retires: boolean }
  | { kind: 'failure'; retires: boolean }
  | { kind: 'run' | 'reload' | 'rebase' | 'model' };

const tokens = fc.oneof(
  fc.integer({ min: 0, max: WINDOW }),
  fc.constantFrom(69_999, 70_000, 75_000, 79_999, 80_000, 85_000, 89_999, 90_000, 90_001),
);
const flag = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      tokens,
      complete: flag,
      tells: flag,
      fits: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('compaction' as const), applied: flag, retires: flag }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('failure' as const), retires: flag }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('run' as const, 'reload' as const, 'rebase' as const, 'model' as const),
    }),
  },
);
const thresholds = fc.constantFrom(70_000, 40_000, 89_999, 95_000);

/** How often it came to what the rules are about. */
interface Seen {
  stops: number;
  floors: number;
  sent: number;
}

/** The code under test, and beside it what the rules say must be true. */
class Life {
  readonly #records: SessionRecord[] = [];
  readonly #threshold: number;
  readonly #seen: Seen;
  #models = 1;
  #state: SessionState;
  #run: StatefulRun;
  /** A report of this run reached the cap, with no compaction since. */
  #marked = false;
  /** The state that stands, by the rules. */
  #live: JsonValue | undefined;
  #floor: number | undefined;
  #values = 0;

  constructor(threshold: number, seen: Seen) {
    this.#threshold = threshold;
    this.#seen = seen;
    this.#state = this.#open();
    this.#run = this.#newRun();
  }

  async begin(): Promise<void> {
    await this.#state.addGeneration(generation());
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'call':
        await this.#call(step);
        break;
      case 'compaction':
        await this.#compact(step.applied, step.retires);
        break;
      case 'failure':
        if (step.retires) await this.#retire();
        break;
      case 'rebase':
        await this.#addGeneration();
        break;
      case 'model':
        this.#models += 1;
        this.#floor = undefined;
        this.#run = this.#newRun();
        await this.#addGeneration();
        break;
      case 'run':
        this.#run = this.#newRun();
        break;
      case 'reload':
        this.#state = this.#open();
        this.#run = this.#newRun();
        this.#floor = undefined;
        assert.equal(this.#state.parentUsage, undefined, 'usage is never stored');
        break;
    }
    this.#check();
  }

  get #model() {
    return { provider: 'openai' as const, model: `model ${this.#models}` };
  }

  get #limits() {
    return { model: this.#model, contextWindow: WINDOW, softThreshold: this.#threshold };
  }

  async #call({ tokens, complete, tells, fits }: Extract<Step, { kind: 'call' }>): Promise<void> {
    let plan: ReturnType<StatefulRun['decide']>;
    let critical = 0;
    try {
      plan = this.#run.decide(fits, 0, (event) => {
        if (event.type === 'session_health' && event.severity === 'critical') critical += 1;
      });
    } catch (error) {
      assert.ok(error instanceof ProviderError && error.kind === 'too_long');
      assert.ok(this.#marked, 'only a marked run is stopped');
      assert.equal(critical, 1);
      this.#seen.stops += 1;
      this.#run = this.#newRun();
      return;
    }
    assert.ok(!this.#marked, 'a run above the cap goes on without a stop');
    if (plan.kind === 'compact') {
      await this.#compact(true, true);
      return;
    }
    assert.ok(fits, 'what does not fit is compacted first');
    const reported = this.#isOtherModels() ? undefined : this.#state.parentUsage?.promptTokens;
    const due = softTriggerTokens(this.#state.parentUsage, this.#limits);
    assert.ok(reported === undefined || reported < due, 'no call from the trigger on');
    const sent = this.#run.carried().backendState;
    assert.deepEqual(sent, this.#live, 'the state of the active generation, and no other');
    if (sent !== undefined) this.#seen.sent += 1;
    await this.#answer(tokens, complete, tells);
  }

  /** The usage is what another model reported. */
  #isOtherModels(): boolean {
    return this.#state.parentUsage !== undefined && this.#state.parentUsage.model.model !== this.#model.model;
  }

  async #answer(tokens: number, complete: boolean, tells: boolean): Promise<void> {
    await this.#state.append(user('go on'));
    const usage = this.#state.parentUsage;
    const arms = usage?.armsFloor && !this.#isOtherModels();
    this.#run.noteUsage({ input: tokens, output: 1 });
    if (tokens >= CAP) this.#marked = true;
    if (arms) this.#floor = tokens >= this.#threshold && tokens < CAP ? tokens : undefined;
    if (arms && this.#floor !== undefined) this.#seen.floors += 1;
    const answer = says('done');
    await this.#state.append(answer);
    const value = { generation: this.#state.lineage.active.id, number: ++this.#values };
    const backendState = complete && tells ? value : undefined;
    await this.#run.keep(
      { blocks: answer.blocks, stopReason: 'end_turn', incomplete: !complete, usage: undefined, backendState },
      answer,
    );
    if (backendState) this.#live = backendState;
  }

  async #compact(applied: boolean, retires: boolean): Promise<void> {
    if (retires) await this.#retire();
    if (!applied) return;
    await this.#addGeneration();
    this.#state.parentUsage = afterCompaction(this.#limits);
    this.#run.noteCompaction();
    this.#marked = false;
    this.#floor = undefined;
  }

  async #retire(): Promise<void> {
    const { active } = this.#state.lineage;
    await this.#state.retireBackendState();
    assert.equal(this.#state.lineage.active, active, 'nothing else is adopted');
    this.#live = undefined;
  }

  async #addGeneration(): Promise<void> {
    const { lineage } = this.#state;
    const { retained, appended } = lineage.view();
    const kept = [...retained, ...appended].slice(-4).map(({ id }) => id);
    await this.#state.addGeneration(generation({ id: lineage.nextGenerationId, kind: 'summary', retained: kept }));
    this.#live = undefined;
  }

  #check(): void {
    const usage = this.#isOtherModels() ? undefined : this.#state.parentUsage;
    const due = softTriggerTokens(this.#state.parentUsage, this.#limits);
    assert.equal(
      usage?.floor,
      this.#floor,
      'a floor changes with a compaction, a model or a reload, and by nothing else',
    );
    if (this.#floor === undefined) {
      assert.equal(due, this.#threshold);
      return;
    }
    assert.ok(this.#threshold <= this.#floor && this.#floor < CAP);
    assert.ok(due > this.#floor && due <= CAP, 'the trigger lies above the floor and never above the cap');
    assert.equal(due, Math.min(this.#floor + 10_000, CAP));
  }

  #newRun(): StatefulRun {
    this.#marked = false;
    const access = {
      ref: this.#model,
      capabilities: {
        contextWindow: WINDOW,
        maxOutputTokens: 4_096,
        cache: { kind: 'none' as const, ttlMs: 0, minTokens: 0 },
        thinking: false,
        assumed: false,
        stateful: true as const,
      },
    };
    const run = StatefulRun.of(this.#state, access, () => this.#threshold);
    assert.ok(run);
    return run;
  }

  /** As a reload does, from the lines of the log. */
  #open(): SessionState {
    const records = this.#records.map((record) => {
      const parsed = parseRecordLine(recordLine(record).trimEnd());
      assert.ok('record' in parsed);
      return parsed.record;
    });
    const lineage = new Lineage();
    assert.equal(replayConversation(records, lineage), 0);
    return new SessionState({
      id: 'session',
      lineage,
      calibration: new Calibration(),
      writer: { append: async (record) => void this.#records.push(record), flush: async () => undefined },
      settings: { model: this.#model, mode: 'build', enabledSkills: [], approvals: [] },
      title: 'title',
      lastTurn: 1,
      backendState: replay(records).backendState,
    });
  }
}

describe('a transcript that the provider owns: properties', () => {
  it('never above the cap without a stop, the floor keeps its rules, and no older generation’s state is sent', async function () {
    this.timeout(60_000);
    const seen: Seen = { stops: 0, floors: 0, sent: 0 };
    await fc.assert(
      fc.asyncProperty(thresholds, fc.array(step, { maxLength: 40, size: 'max' }), async (threshold, steps) => {
        const life = new Life(threshold, seen);
        await life.begin();
        for (const each of steps) await life.take(each);
      }),
      { numRuns: RUNS },
    );
    assert.ok(seen.stops > 200 && seen.floors > 200 && seen.sent > 200, JSON.stringify(seen));
  });
});

import assert from 'node:assert/strict';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import type { SessionRecord, UsageRecord } from '../../../src/core/sessions/records.ts';
import { calibrationOf, entriesOf, lineageOf, startingRoots } from '../../../src/host/session/restore.ts';
import { generation, says, user } from '../conversation/support.ts';

const opus: ModelRef = { provider: 'anthropic', model: 'opus' };
const local: ModelRef = { provider: 'openai', model: 'local' };

function usage(
  model: UsageRecord['model'],
  rawEstimate: number,
  input: number,
  kind: UsageRecord['kind'] = 'main',
): SessionRecord {
  return {
    type: 'usage',
    usage: { at: 0, kind, model, rawEstimate, usage: { input, output: 1, cacheRead: 0, cacheWrite: 0 } },
  };
}

const first = user('one');
const answer = says('two');
const later = user('three');
const start = generation({ id: 1 });
const summary = generation({ id: 2, kind: 'summary', summary: 's', retained: [answer.id] });
const records: SessionRecord[] = [
  { type: 'session', format: 1, id: 's', at: 0, roots: [] },
  { type: 'generation', generation: start },
  { type: 'message', message: first },
  usage(opus, 100, 120),
  { type: 'message', message: answer },
  { type: 'generation', generation: summary },
  { type: 'title', title: 't' },
  { type: 'message', message: later },
  { type: 'turn_ended', turn: 1, at: 0, end: 'done' },
];

describe('a session opened again', () => {
  it('shows messages and generations in the order of the records', () => {
    assert.deepEqual(entriesOf(records), [start, first, answer, summary, later]);
  });

  it('goes on from the last generation with what that one kept', () => {
    const { generation: active, retained, appended } = lineageOf(records).lineage.view();
    assert.deepEqual([active.id, retained, appended], [2, [answer], [later]]);
  });

  it('counts every report of a provider again, in order, per model', () => {
    const calibration = calibrationOf([
      usage(opus, 100, 120),
      usage(local, 100, 60, 'summary'),
      ...records.filter(({ type }) => type !== 'usage'),
      usage(opus, 100, 160),
    ]);
    assert.equal(calibration.samples(opus), 2);
    // The first report sets the factor, the second moves it by a quarter of the difference.
    assert.ok(Math.abs(calibration.factor(opus) - 1.3) < 1e-9);
    assert.deepEqual([calibration.samples(local), calibration.factor(local)], [1, 0.6]);
  });

  it('passes over a report without figures and starts uncalibrated without any', () => {
    const calibration = calibrationOf([usage(opus, 100, 0)]);
    assert.deepEqual([calibration.samples(opus), calibration.factor(opus)], [0, 1]);
  });

  it('A22: doubled records and a lost first generation are passed over and counted', () => {
    const [session, ...rest] = records;
    assert.ok(session);
    const doubled = [session, ...rest.flatMap((record) => [record, record])];
    const { lineage, damaged } = lineageOf(doubled);
    assert.deepEqual(lineage.messages, lineageOf(records).lineage.messages);
    assert.equal(damaged, 5);
    const headless = lineageOf(records.filter((record) => record.type !== 'generation' || record.generation.id !== 1));
    assert.equal(headless.damaged, 2);
    assert.deepEqual(headless.lineage.messages, [later]);
  });

  it('knows the folders it was started in', () => {
    assert.deepEqual(startingRoots([{ type: 'session', format: 1, id: 's', at: 0, roots: ['/a'] }]), ['/a']);
    assert.deepEqual(startingRoots([]), []);
  });
});

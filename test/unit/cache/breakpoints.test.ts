import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeBreakpoints } from '../../../src/core/cache/breakpoints.ts';
import type { Lineage } from '../../../src/core/conversation/lineage.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import type { Breakpoint, ModelRequest } from '../../../src/core/conversation/request.ts';
import { toAnthropicParams } from '../../../src/core/providers/anthropic/params.ts';
import { AnthropicCache } from '../../rig/anthropicCache.ts';
import { readAnthropicRequest } from '../../rig/anthropicRequest.ts';
import { checkMarkers } from '../../rig/markerRules.ts';
import { play, steps } from '../conversation/arbitrary.ts';
import { assistant, call, generation, head, lineageOf, result, says, user } from '../conversation/support.ts';

const explicit = { cache: { kind: 'explicit' as const, ttlMs: 300_000, minTokens: 1024 } };
const message = (at: number, block: number): Breakpoint => ({ at: 'message', message: at, block, ttl: '5m' });
const system = (block: number): Breakpoint => ({ at: 'system', block, ttl: '5m' });

function requestOf(lineage: Lineage): ModelRequest {
  return projectRequest(lineage.view(), { maxOutputTokens: 1000, cacheKey: 'session' });
}

/** Adds one answer with `count` calls and their results. */
function batch(lineage: Lineage, prefix: string, count: number): void {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  lineage.append(assistant(ids.map((id) => call(id))));
  for (const id of ids) lineage.append(result(id));
}

describe('placeBreakpoints', () => {
  it('marks the static system zone and the tail of the first request', () => {
    const request = requestOf(lineageOf([user('hi')]));
    assert.deepEqual(placeBreakpoints(request, { capabilities: explicit }), [system(0), message(0, 1)]);
  });

  it('leaves the summary after the system marker', () => {
    const request = requestOf(lineageOf([user('hi')], generation({ summary: 'Earlier.' })));
    assert.equal(request.system.length, 2);
    assert.deepEqual(placeBreakpoints(request, { capabilities: explicit })[0], system(0));
  });

  it('marks the generation’s start, the previous tail and the tail', () => {
    const lineage = lineageOf([user('hi')]);
    batch(lineage, 'a', 2);
    const previous = placeBreakpoints(requestOf(lineage), { capabilities: explicit });
    assert.deepEqual(previous, [system(0), message(0, 1), message(2, 1)]);
    batch(lineage, 'b', 1);
    assert.deepEqual(placeBreakpoints(requestOf(lineage), { previous, capabilities: explicit }), [
      system(0),
      message(0, 1),
      message(2, 1),
      message(4, 0),
    ]);
  });

  it('moves the standing marker in between when one step adds more than 15 blocks, and back afterwards', () => {
    const lineage = lineageOf([user('hi')]);
    let previous = placeBreakpoints(requestOf(lineage), { capabilities: explicit });
    batch(lineage, 'a', 12);
    previous = placeBreakpoints(requestOf(lineage), { previous, capabilities: explicit });
    // The previous tail is block 1 of all message blocks; 15 blocks on stands the third of the results.
    assert.deepEqual(previous, [system(0), message(0, 1), message(2, 2), message(2, 11)]);
    batch(lineage, 'b', 1);
    previous = placeBreakpoints(requestOf(lineage), { previous, capabilities: explicit });
    assert.deepEqual(previous, [system(0), message(0, 1), message(2, 11), message(4, 0)]);
  });

  it('never marks a thinking block or a blank system block', () => {
    const thinking = { type: 'thinking' as const, thinking: 'Hm.', signature: 's' };
    const said = requestOf(lineageOf([user('hi')]));
    const request: ModelRequest = {
      ...said,
      system: [...head.system, { source: 'environment', text: ' ' }],
      messages: [...said.messages, { role: 'assistant', content: [{ type: 'text', text: 'x' }, thinking] }],
    };
    assert.deepEqual(placeBreakpoints(request, { capabilities: explicit }), [system(0), message(0, 1), message(1, 0)]);
  });

  it('asks for an hour where the model’s entries live that long, and for nothing where caching is not explicit', () => {
    const request = requestOf(lineageOf([user('hi')]));
    const hour = { cache: { ...explicit.cache, ttlMs: 3_600_000 } };
    assert.ok(placeBreakpoints(request, { capabilities: hour }).every(({ ttl }) => ttl === '1h'));
    for (const kind of ['automatic', 'none'] as const) {
      assert.deepEqual(placeBreakpoints(request, { capabilities: { cache: { ...explicit.cache, kind } } }), []);
    }
  });

  it('the server accepts the markers of every random conversation', () => {
    fc.assert(
      fc.property(steps, (conversation) => {
        const lineage = lineageOf([user('start')]);
        let previous: Breakpoint[] = [];
        for (const [turn, step] of conversation.entries()) {
          play(step, lineage, turn);
          if (step.kind === 'generation') previous = [];
          const request = requestOf(lineage);
          const breakpoints = placeBreakpoints(request, { previous, capabilities: explicit });
          const prompt = readAnthropicRequest(toAnthropicParams({ ...request, breakpoints }));
          assert.equal(checkMarkers(prompt), undefined);
          const marked = [...prompt.system, ...prompt.messages.flatMap(({ blocks }) => blocks)].filter(
            ({ marker }) => marker !== undefined,
          );
          assert.equal(marked.length, breakpoints.length, 'every marker reaches the wire');
          previous = breakpoints;
        }
      }),
    );
  });
});

describe('cache reads with these markers', () => {
  const long = 'word '.repeat(2000);

  /** Plays requests against the rig's cache; the tokens read and the whole prompt of each. */
  function reads(
    calls: ((lineage: Lineage) => void)[],
    change: (breakpoints: Breakpoint[]) => Breakpoint[] = (b) => b,
  ) {
    let now = 0;
    const cache = new AnthropicCache(() => now);
    const lineage = lineageOf([], generation({ head: { ...head, system: [{ source: 'preamble', text: long }] } }));
    let previous: Breakpoint[] = [];
    return calls.map((add) => {
      add(lineage);
      now += 60_000;
      const request = requestOf(lineage);
      const breakpoints = placeBreakpoints(request, { previous, capabilities: explicit });
      previous = breakpoints;
      const prompt = readAnthropicRequest(toAnthropicParams({ ...request, breakpoints: change(breakpoints) }));
      const { account, commit } = cache.account(prompt, 0.25, 1024);
      commit();
      return { read: account.cacheRead, total: account.input + account.cacheRead + account.cacheWrite5m };
    });
  }

  const session = [
    (lineage: Lineage) => lineage.append(user(long)),
    (lineage: Lineage) => batch(lineage, 'a', 3),
    (lineage: Lineage) => batch(lineage, 'b', 25),
    (lineage: Lineage) => batch(lineage, 'c', 1),
    (lineage: Lineage) => lineage.append(says('done')),
    (lineage: Lineage) => lineage.append(user('next')),
  ];

  it('every request reads all of the one before, a batch of 25 results included', () => {
    const requests = reads(session);
    for (const [index, { read }] of requests.entries())
      assert.equal(read, index === 0 ? 0 : requests[index - 1]?.total);
  });

  it('reads less without the marker of the previous tail (the test can fail)', () => {
    const tailOnly = (breakpoints: Breakpoint[]) => breakpoints.slice(-1);
    const requests = reads(session, tailOnly);
    assert.notEqual(requests[2]?.read, requests[1]?.total);
  });
});

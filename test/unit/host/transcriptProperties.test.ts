import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatItem } from '../../../src/protocol.ts';
import { stretches } from './sequences.ts';
import { newTranscript, reloaded, type ToolItem, WatchedTranscript } from './support.ts';

/** A failure is reported soon: shrinking long outputs would take minutes. */
const runs = { numRuns: 500, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: true };

/** Status changes a card may show; the same status again is always allowed. */
const NEXT: Record<ToolItem['status'], ToolItem['status'][]> = {
  waiting: ['running', 'denied', 'interrupted', 'error'],
  running: ['waiting', 'ok', 'error', 'denied', 'interrupted'],
  ok: [],
  error: [],
  denied: [],
  interrupted: [],
};

describe('transcript of random sessions', () => {
  it('shows after a reload what was shown live, and the webview follows by operations alone', () => {
    fc.assert(
      fc.property(stretches, (session) => {
        const live = new WatchedTranscript();
        live.apply(...session.flatMap(({ events }) => events));
        // Notices are of the moment and not stored.
        const lasting = live.items.filter((item) => item.kind !== 'notice');
        assert.deepEqual(lasting, reloaded(session.flatMap(({ entries }) => entries)));
      }),
      runs,
    );
  });

  it('leaves no blank, streaming or doubled item behind', () => {
    fc.assert(
      fc.property(stretches, (session) => {
        const live = new WatchedTranscript();
        live.apply(...session.flatMap(({ events }) => events));
        for (const item of live.items) {
          assert.notEqual(visibleText(item).trim(), '', item.id);
          assert.ok(!('streaming' in item) || !item.streaming, item.id);
        }
        assert.equal(new Set(live.items.map(({ id }) => id)).size, live.items.length);
      }),
      runs,
    );
  });

  it('moves every tool card along allowed paths, with buttons only while it waits', () => {
    fc.assert(
      fc.property(stretches, (session) => {
        const live = new WatchedTranscript();
        const statuses = new Map<string, ToolItem['status']>();
        for (const event of session.flatMap(({ events }) => events)) {
          live.apply(event);
          for (const item of live.items) {
            if (item.kind !== 'tool') continue;
            const before = statuses.get(item.id) ?? 'waiting';
            assert.ok(item.status === before || NEXT[before].includes(item.status), `${before} to ${item.status}`);
            assert.ok(item.approval === undefined || item.status === 'waiting');
            assert.ok(item.output.length <= 8_000);
            statuses.set(item.id, item.status);
          }
        }
        for (const status of statuses.values()) assert.deepEqual(NEXT[status], [], status);
      }),
      runs,
    );
  });

  it('pages through all items exactly once, whatever the page size', () => {
    fc.assert(
      fc.property(stretches, (session) => {
        const transcript = newTranscript();
        for (const event of session.flatMap(({ events }) => events)) transcript.apply(event);
        for (let size = 1; size <= transcript.items.length + 1; size++) {
          let page = transcript.newest(size);
          const seen = [...page.items];
          while (page.olderCount > 0) {
            page = transcript.before(seen[0]?.id ?? '', size);
            assert.ok(page.items.length > 0 && page.items.length <= size);
            seen.unshift(...page.items);
            assert.equal(page.olderCount, transcript.items.length - seen.length);
          }
          assert.deepEqual(seen, transcript.items);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function visibleText(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
      return item.text + (item.mode ?? '') + item.skills.map(({ name }) => name).join();
    case 'assistant':
      return item.markdown;
    case 'thinking':
      return item.text;
    case 'tool':
      return item.name;
    case 'notice':
      return item.message;
    case 'compaction':
      return String(item.generationId);
  }
}

import assert from 'node:assert/strict';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import { contextReport, renderContextReport } from '../../../src/core/report/contextReport.ts';
import { contextState } from '../../../src/core/report/contextState.ts';
import { requestSnapshot } from '../../../src/core/report/requestSnapshot.ts';
import { estimateRequest } from '../../../src/core/tokens/estimate.ts';
import { assistant, call, generation, head, lineageOf, result, says, user } from '../conversation/support.ts';

const roots = ['/home/ann/project'];

function argumentsOf(input: unknown, name = 'read'): string | undefined {
  const lineage = lineageOf([assistant([call('a', input, name)])]);
  return contextState(lineage.view(), 1, roots).recentToolCalls[0]?.arguments;
}

describe('context state', () => {
  it('holds the three newest tool calls of the active generation, oldest first, and the turn count', () => {
    const lineage = lineageOf([
      assistant([call('a', { path: 'a' })]),
      result('a'),
      assistant([call('b', { path: 'b' }), call('c', { path: 'c' })]),
      result('b'),
      result('c'),
      says('so far'),
      assistant([call('d', { path: 'd' })]),
    ]);
    assert.deepEqual(contextState(lineage.view(), 7, roots), {
      recentToolCalls: ['b', 'c', 'd'].map((path) => ({ name: 'read', arguments: `path ${path}` })),
      turnCount: 7,
    });
  });

  it('calls of earlier generations count only where they were kept', () => {
    const kept = assistant([call('b', { path: 'b' })]);
    const lineage = lineageOf([assistant([call('a', { path: 'a' })]), kept]);
    lineage.addGeneration(generation({ id: 2, kind: 'summary', retained: [kept.id] }));
    lineage.append(assistant([call('c', { path: 'c' })]));
    const { recentToolCalls } = contextState(lineage.view(), 1, roots);
    assert.deepEqual(
      recentToolCalls.map((each) => each.arguments),
      ['path b', 'path c'],
    );
  });

  it('is rebuilt each time and shares nothing: a change to one does not reach the next', () => {
    const lineage = lineageOf([assistant([call('a', { path: 'a' })])]);
    const first = contextState(lineage.view(), 1, roots);
    for (const each of first.recentToolCalls) each.arguments = 'changed';
    first.recentToolCalls.length = 0;
    lineage.append(assistant([call('b', { path: 'b' })]));
    assert.deepEqual(
      contextState(lineage.view(), 2, roots).recentToolCalls.map((each) => each.arguments),
      ['path a', 'path b'],
    );
  });

  it('names cwd, path, pattern, command, offset and limit in this order and nothing else', () => {
    const input = { limit: 5, offset: 2, command: 'ls', pattern: 'x', path: 'p', cwd: 'c', secret: 's', content: 't' };
    assert.equal(argumentsOf(input), 'cwd c, path p, pattern x, command ls, offset 2, limit 5');
    assert.equal(argumentsOf('not an object'), '');
    assert.equal(argumentsOf({ path: ['x'] }), '');
  });

  it('cuts values at 40 and commands at 80 code points, after white space was collapsed', () => {
    assert.equal(argumentsOf({ pattern: '📁'.repeat(41) }), `pattern ${'📁'.repeat(40)}…`);
    assert.equal(argumentsOf({ pattern: '📁'.repeat(40) }), `pattern ${'📁'.repeat(40)}`);
    assert.equal(argumentsOf({ command: `echo  \n ${'é'.repeat(90)}` }, 'bash'), `command echo ${'é'.repeat(75)}…`);
  });

  it('strips a leading change of folder from a command', () => {
    for (const start of ['cd /tmp/x && ', 'cd "a b" ; ', "cd 'a' || ", 'cd x;']) {
      assert.equal(argumentsOf({ command: `${start}npm test` }, 'bash'), 'command npm test', start);
    }
    assert.equal(argumentsOf({ command: 'cd x' }, 'bash'), 'command cd x');
    assert.equal(argumentsOf({ command: 'echo cd x && ls' }, 'bash'), 'command echo cd x && ls');
  });

  it('leaves the workspace folder out of cwd, path and commands; alone it becomes a dot', () => {
    assert.equal(argumentsOf({ cwd: '/home/ann/project' }), 'cwd .');
    assert.equal(argumentsOf({ path: '/home/ann/project/src/a.ts' }), 'path src/a.ts');
    assert.equal(argumentsOf({ path: '/home/ann/project2/a.ts' }), 'path /home/ann/project2/a.ts');
    assert.equal(argumentsOf({ path: '/mnt/home/ann/project/a.ts' }), 'path /mnt/home/ann/project/a.ts');
    assert.equal(
      argumentsOf({ command: 'cat "/home/ann/project/a.ts" /home/ann/project' }, 'bash'),
      'command cat "a.ts" .',
    );
  });

  it('is shown in the report and not sent', () => {
    const view = lineageOf([user('hello'), assistant([call('a', { path: 'p|q' })]), result('a')]).view();
    const request = projectRequest(view, { maxOutputTokens: 100, cacheKey: 'k' });
    const figures = { model: head.model, request, estimate: estimateRequest(request, head.model), total: 100 };
    const limits = { window: 200_000, reserve: 1, margin: 1, threshold: 1 };
    const state = contextState(view, 3, roots);
    const lastRequest = requestSnapshot(request, head.model, 'main');
    const text = renderContextReport(contextReport({ ...figures, ...limits, state, lastRequest }));
    assert.match(text, /## Latest tool calls \(not sent\)\n\nTurns so far: 3\.\n\n- read path p\\\|q\n/);
    assert.ok(!JSON.stringify(request).includes('Turns so far'));
    const { promptBytes, blocksBytes, toolsBytes } = lastRequest;
    assert.ok(text.includes(`| messages | 3 | ${promptBytes} |`));
    assert.ok(text.includes(`| system blocks | 1 | ${blocksBytes} |`));
    assert.ok(text.includes(`| tools | 1 | ${toolsBytes} |`));
    const fresh = renderContextReport(contextReport({ ...figures, ...limits }));
    assert.match(fresh, /Nothing was sent since the session was opened\./);
  });
});

import assert from 'node:assert/strict';
import type { ModelRef, ModelRequest } from '../../../src/core/conversation/request.ts';
import { contextReport, renderContextReport } from '../../../src/core/report/contextReport.ts';
import { estimateRequest } from '../../../src/core/tokens/estimate.ts';

const model: ModelRef = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
const request: ModelRequest = {
  model: model.model,
  system: [
    { source: 'preamble', text: 'You are Steiner.' },
    { source: 'project_context', path: '/w/long.md', text: 'x y z '.repeat(200), truncated: true },
    { source: 'project_context', path: '/w/short.md', text: 'short' },
  ],
  tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is | here?' }] }],
  maxOutputTokens: 1_000,
  breakpoints: [],
  cacheKey: 'k',
};

describe('context report', () => {
  const report = contextReport({
    model,
    request,
    estimate: estimateRequest(request, model),
    total: 777,
    window: 200_000,
    reserve: 1_000,
    margin: 2_000,
    threshold: 140_000,
  });

  it('marks a source that was cut to its budget as truncated, and no other', () => {
    assert.deepEqual(
      report.rows.filter(({ zone }) => zone === 'system').map(({ detail }) => detail),
      ['', '/w/long.md (truncated)', '/w/short.md'],
    );
    assert.match(renderContextReport(report), /\| project_context \| \/w\/long\.md \(truncated\) \|/);
  });

  it('has a row for every tool, block and message, which add up to the calibrated total', () => {
    assert.equal(report.rows.length, 1 + 1 + 3 + 1);
    assert.equal(
      report.rows.reduce((sum, { tokens }) => sum + tokens, 0),
      777,
    );
  });
});

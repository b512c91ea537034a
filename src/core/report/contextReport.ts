// What the next request holds, part by part: every row is a block or a message, and the rows add up to the total.
import type { ModelRef, ModelRequest, RequestMessage } from '../conversation/request.ts';
import { clipUnits } from '../platform/text.ts';
import type { TokenEstimate } from '../tokens/estimate.ts';
import type { ContextState } from './contextState.ts';
import type { RequestSnapshot } from './requestSnapshot.ts';

export interface ReportRow {
  /** `system`, `tool`, `message` or `framing`. */
  zone: 'framing' | 'tool' | 'system' | 'message';
  /** Source of a system block, name of a tool, or role and number of a message. */
  label: string;
  /** Absolute path, marked where the file was cut to its budget; or the beginning of a message. */
  detail: string;
  /** Calibrated tokens. */
  tokens: number;
}

export interface ContextReport {
  model: ModelRef;
  /** Tokens of the model's context window. */
  window: number;
  /** Calibrated tokens of the whole request; the sum of all rows. */
  total: number;
  /** Tokens kept free for the answer. */
  reserve: number;
  /** Tokens kept free for the error of the estimate. */
  margin: number;
  /** Tokens at which the conversation is compacted. */
  threshold: number;
  confidence: TokenEstimate['confidence'];
  rows: ReportRow[];
  /** Absent: nothing was sent since the session was opened. */
  lastRequest?: RequestSnapshot | undefined;
  state?: ContextState | undefined;
}

const PREVIEW_UNITS = 60;

export interface ContextReportInput extends Omit<ContextReport, 'rows' | 'total' | 'confidence'> {
  request: ModelRequest;
  estimate: TokenEstimate;
  /** Calibrated tokens of the request. */
  total: number;
}

export function contextReport(input: ContextReportInput): ContextReport {
  const { request, estimate, total, ...figures } = input;
  const { parts } = estimate;
  const raw: ReportRow[] = [
    { zone: 'framing', label: 'Request framing', detail: '', tokens: parts.framing },
    ...request.tools.map(
      (tool, index): ReportRow => ({ zone: 'tool', label: tool.name, detail: '', tokens: parts.tools[index] ?? 0 }),
    ),
    ...request.system.map(
      (block, index): ReportRow => ({
        zone: 'system',
        label: block.source,
        detail: `${block.path ?? ''}${block.truncated ? ' (truncated)' : ''}`,
        tokens: parts.system[index] ?? 0,
      }),
    ),
    ...request.messages.map(
      (message, index): ReportRow => ({
        zone: 'message',
        label: `${index + 1} ${message.role}`,
        detail: preview(message),
        tokens: parts.messages[index] ?? 0,
      }),
    ),
  ];
  return {
    ...figures,
    total,
    confidence: estimate.confidence,
    rows: calibrated(raw, estimate.rawTokens, total),
  };
}

/** Scales the rows to the calibrated total; rounding is carried along, so that they add up exactly. */
function calibrated(rows: readonly ReportRow[], rawTotal: number, total: number): ReportRow[] {
  if (rawTotal === 0) return [...rows];
  let rawSoFar = 0;
  let tokensSoFar = 0;
  return rows.map((row) => {
    rawSoFar += row.tokens;
    const upTo = Math.round((rawSoFar / rawTotal) * total);
    const tokens = upTo - tokensSoFar;
    tokensSoFar = upTo;
    return { ...row, tokens };
  });
}

function preview(message: RequestMessage): string {
  const texts = message.content.map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'tool_call':
        return `calls ${block.name}`;
      case 'tool_result':
        return `result: ${clipUnits(block.content, 200)}`;
      default:
        return 'thinking';
    }
  });
  const line = texts.join(' · ').replace(/\s+/g, ' ').trim();
  return line.length <= PREVIEW_UNITS ? line : `${clipUnits(line, PREVIEW_UNITS - 1)}…`;
}

/** As Markdown, for an editor. */
export function renderContextReport(report: ContextReport): string {
  const number = (value: number) => value.toLocaleString('en');
  const share = (value: number) => `${((100 * value) / report.window).toFixed(1)}%`;
  const zones: [ReportRow['zone'], string][] = [
    ['framing', 'Framing'],
    ['tool', 'Tool definitions'],
    ['system', 'System'],
    ['message', 'Conversation'],
  ];
  const lines = [
    '# Context report',
    '',
    `Model ${report.model.provider}/${report.model.model}, window ${number(report.window)} tokens. ` +
      `Token figures are estimates (confidence ${report.confidence}), calibrated by what the provider reported.`,
    '',
    '| | tokens | of window |',
    '| --- | ---: | ---: |',
    `| next request | ${number(report.total)} | ${share(report.total)} |`,
    `| kept free for the answer | ${number(report.reserve)} | ${share(report.reserve)} |`,
    `| safety margin | ${number(report.margin)} | ${share(report.margin)} |`,
    `| compaction at | ${number(report.threshold)} | ${share(report.threshold)} |`,
  ];
  for (const [zone, title] of zones) {
    const rows = report.rows.filter((row) => row.zone === zone);
    if (rows.length === 0) continue;
    const sum = rows.reduce((tokens, row) => tokens + row.tokens, 0);
    lines.push('', `## ${title}: ${number(sum)} tokens, ${share(sum)}`, '');
    lines.push('| part | | tokens | of window |', '| --- | --- | ---: | ---: |');
    for (const row of rows) {
      lines.push(`| ${cell(row.label)} | ${cell(row.detail)} | ${number(row.tokens)} | ${share(row.tokens)} |`);
    }
  }
  lines.push('', ...lastRequestLines(report.lastRequest), ...stateLines(report.state));
  return `${lines.join('\n')}\n`;
}

/** Text that can stand in a Markdown table cell. */
function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('`', '\\`').replaceAll('<', '&lt;');
}

function lastRequestLines(request: RequestSnapshot | undefined): string[] {
  if (!request) return ['## Last request', '', 'Nothing was sent since the session was opened.'];
  const { model, messages, tools, maxTokens, promptBytes, blocksBytes, toolsBytes } = request;
  const number = (value: number) => value.toLocaleString('en');
  return [
    '## Last request',
    '',
    `To ${model.provider}/${model.model}, answer of at most ${number(maxTokens)} tokens.`,
    '',
    '| | count | UTF-8 bytes |',
    '| --- | ---: | ---: |',
    `| messages | ${number(messages.length)} | ${number(promptBytes)} |`,
    `| system blocks | ${number(request.blocks.length)} | ${number(blocksBytes)} |`,
    `| tools | ${number(tools.length)} | ${number(toolsBytes)} |`,
  ];
}

/** For the reader only; it is not part of any request. */
function stateLines(state: ContextState | undefined): string[] {
  if (!state) return [];
  const calls = state.recentToolCalls.map((call) => `- ${cell(`${call.name} ${call.arguments}`.trim())}`);
  return ['', '## Latest tool calls (not sent)', '', `Turns so far: ${state.turnCount}.`, '', ...calls];
}

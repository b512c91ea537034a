// Facts that code reads off tool results: no model's word is taken for them.

import { shortened } from '../conversation/argumentSummary.ts';
import type { Message, ToolCallBlock, ToolMessage } from '../conversation/message.ts';

/** Code points. */
const LONGEST_COMMAND = 160;
const LONGEST_RESULT = 160;
const HASH_DIGITS = 12;

/** What known test runners print at their end. */
const TEST_RESULTS = [
  /^\s*\d+ (?:passing|failing|pending)\b.*$/gm, // mocha
  /^\s*Tests:?\s+.*\b(?:passed|failed)\b.*$/gm, // jest, vitest
  /^=+ .*\b(?:passed|failed|errors?)\b.* in [\d.]+s.*=+$/gm, // pytest
  /^(?:OK|FAILED)(?: \(.*\))?$/gm, // unittest
  /^test result: .*$/gm, // cargo
  /^(?:ok|FAIL)\s+\S+\s+[\d.]+s.*$/gm, // go
  /^(?:#|ℹ) (?:pass|fail) \d+$/gm, // node
];

const COMMIT = /^\[([^\]\s]+)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.*)$/gm;

export interface LedgerFacts {
  /** One line each, the latest last; of a file or a command only its last state. */
  files: string[];
  commands: string[];
  commits: string[];
}

export function ledgerFacts(messages: readonly Message[]): LedgerFacts {
  const files = new Map<string, { read?: string; changed?: string }>();
  const commands = new Map<string, string>();
  const commits = new Map<string, string>();
  const calls = new Map<string, ToolCallBlock>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const block of message.blocks) if (block.type === 'tool_call') calls.set(block.callId, block);
    }
    if (message.role !== 'tool') continue;
    const { detail, status, name } = message;
    if (detail?.path !== undefined && status === 'ok') {
      const known = files.get(detail.path) ?? {};
      const hash = detail.fileHash?.slice(0, HASH_DIGITS) ?? '';
      renew(files, detail.path, name === 'read' ? { ...known, read: hash } : { ...known, changed: hash });
    }
    const command = commandOf(calls.get(message.callId));
    if (command === undefined) continue;
    renew(commands, command, outcomeOf(message));
    for (const [, branch, hash, subject] of message.content.matchAll(COMMIT)) {
      renew(commits, `${hash}`, `- ${hash} on ${branch}: ${shortened(subject ?? '', LONGEST_RESULT)}`);
    }
  }
  return {
    files: [...files].map(([path, use]) => `- ${path}: ${fileLine(use)}`),
    commands: [...commands].map(([command, outcome]) => `- ${command}: ${outcome}`),
    commits: [...commits.values()],
  };
}

/** Set anew, so that the newest stands last. */
function renew<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function fileLine({ read, changed }: { read?: string; changed?: string }): string {
  const marked = (word: string, hash: string | undefined) =>
    hash === undefined ? [] : [hash === '' ? word : `${word} (${hash})`];
  return [...marked('changed', changed), ...marked('read', read)].join(', ');
}

function commandOf(call: ToolCallBlock | undefined): string | undefined {
  if (call?.name !== 'bash' || typeof call.input !== 'object' || call.input === null) return undefined;
  const command = 'command' in call.input ? call.input.command : undefined;
  return typeof command === 'string' ? shortened(command.replace(/\s+/g, ' ').trim(), LONGEST_COMMAND) : undefined;
}

function outcomeOf({ status, detail, content }: ToolMessage): string {
  if (status === 'denied' || status === 'interrupted') return status;
  const exit = detail?.exitCode === undefined ? status : `exit code ${detail.exitCode}`;
  const tests = testResults(content);
  return tests === undefined ? exit : `${exit}; tests: ${tests}`;
}

function testResults(output: string): string | undefined {
  for (const pattern of TEST_RESULTS) {
    const lines = output.match(pattern)?.slice(-3);
    if (lines) return shortened(lines.map((line) => line.replace(/^[=\s]+|[=\s]+$/g, '')).join(', '), LONGEST_RESULT);
  }
  return undefined;
}

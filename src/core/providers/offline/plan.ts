// Decides the next move of the built-in model: tool calls, or the answer. Pure: the same conversation, the same move.

import { changeFile } from './changeFile.ts';
import { type Intent, intentOf } from './intent.ts';
import { investigate } from './investigate.ts';
import { answer, bullets, call, failed, hitRows, locate, MAX_ROWS, type Move, more } from './moves.ts';
import { block, code } from './quoting.ts';
import { say } from './say.ts';
import type { Situation, Step } from './situation.ts';
import { exitCodeOf, hitsIn, linesIn, outlineOf, pathsListed } from './toolText.ts';
import { escapePattern } from './words.ts';

export function nextMove(situation: Situation): Move {
  const intent = intentOf(situation.question);
  const denied = situation.steps.findLast(({ failed, content }) => failed && /^denied by user/i.test(content));
  if (denied) return answer(say.denied({ call: code(callText(denied)) }));
  const move = moveFor(intent, situation);
  const missing = move.calls.find(({ name }) => !situation.tools.has(name));
  return missing ? answer(say.noTool({ tool: code(missing.name) })) : move;
}

function moveFor(intent: Intent, situation: Situation): Move {
  const { steps } = situation;
  const last = steps.at(-1);
  switch (intent.kind) {
    case 'small_talk':
      return answer(say.help());
    case 'list':
      if (!last) return call('list', intent.path === undefined ? {} : { path: intent.path });
      return last.failed
        ? failed(last)
        : answer(say.listed({ place: place(intent.path), rows: block(last.content, MAX_ROWS) }));
    case 'glob':
      if (!last) return call('glob', { pattern: intent.pattern });
      return last.failed ? failed(last) : answer(globAnswer(intent.pattern, last));
    case 'search':
      return search(intent, last);
    case 'read':
      return read(intent, steps);
    case 'run':
      if (situation.planMode) return answer(say.planOnly({ action: `run ${code(intent.command)}` }));
      if (!last) return call('bash', { command: intent.command });
      return answer(ranAnswer(intent.command, last));
    case 'create':
      if (situation.planMode) return answer(say.planOnly({ action: `write ${code(intent.path)}` }));
      if (!last) return call('write', { path: intent.path, content: endedLine(intent.content) });
      return last.failed
        ? failed(last)
        : answer(say.wrote({ path: code(intent.path), result: block(last.content, 5) }));
    case 'replace':
    case 'replace_line':
      return changeFile(intent, situation);
    case 'described_file':
      return withHelp(answer(say.describedFile({ path: code(intent.path) })));
    case 'several_things':
      return withHelp(answer(say.severalThings()));
    case 'question':
      return withHelp(investigate(intent, situation));
  }
}

/** Who asks for what fixed rules cannot understand learns what they do understand. */
function withHelp(move: Move): Move {
  return move.calls.length > 0 ? move : { ...move, text: `${move.text}\n\n${say.help()}` };
}

function search(intent: Extract<Intent, { kind: 'search' }>, last: Step | undefined): Move {
  const where = intent.path === undefined ? {} : { path: intent.path };
  const text = code(intent.text);
  if (!last) return call('grep', { pattern: escapePattern(intent.text), ignore_case: true, ...where });
  if (last.failed) return failed(last);
  if (last.name === 'glob') {
    const paths = pathsListed(last.content);
    return answer(
      paths.length > 0
        ? say.onlyNames({ text, rows: bullets(paths) })
        : say.nothing({ text, place: place(intent.path) }),
    );
  }
  const hits = hitsIn(last.content);
  if (hits.length === 0) return call('glob', { pattern: `**/*${intent.text.replace(/[^\w.-]+/g, '*')}*` });
  const files = new Set(hits.map(({ path }) => path)).size;
  return answer(
    say.hits({
      text,
      count: `${hits.length} ${hits.length === 1 ? 'line' : 'lines'} in ${files} ${files === 1 ? 'file' : 'files'}`,
      rows: hitRows(hits.slice(0, MAX_ROWS)) + more(hits.length),
    }),
  );
}

function read(intent: Extract<Intent, { kind: 'read' }>, steps: readonly Step[]): Move {
  const last = steps.at(-1);
  const range =
    intent.from === undefined ? {} : { offset: intent.from, limit: (intent.to ?? intent.from) - intent.from + 1 };
  if (!last) return call('read', { path: intent.path, ...range });
  if (last.name === 'read' && !last.failed)
    return answer(readAnswer(String(last.input.path ?? intent.path), last.content));
  return locate(intent.path, steps, (path) => call('read', { path, ...range }));
}

function readAnswer(path: string, content: string): string {
  const lines = linesIn(content);
  const outline = outlineOf(lines).slice(0, 12);
  const parts = outline.map(({ line, text }) => ({ path, line, text }));
  return say.read({
    path: code(path),
    rows: block(content, MAX_ROWS),
    outline: parts.length > 2 ? `\n\nIts declarations and headings there:\n\n${hitRows(parts)}` : '',
  });
}

function globAnswer(pattern: string, { content }: Step): string {
  const paths = pathsListed(content);
  if (paths.length === 0) return say.nothing({ text: code(pattern), place: place(undefined) });
  return say.files({ pattern: code(pattern), count: String(paths.length), rows: bullets(paths) });
}

function ranAnswer(command: string, step: Step): string {
  const exitCode = exitCodeOf(step);
  const end = exitCode === undefined ? 'did not finish' : `ended with exit code ${exitCode}`;
  return say.ran({ command: code(command), end, output: block(step.content, MAX_ROWS) });
}

function place(path: string | undefined): string {
  return path === undefined ? 'the workspace' : code(path);
}

function callText({ name, input }: Step): string {
  return `${name} ${String(input.command ?? input.path ?? '')}`;
}

function endedLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

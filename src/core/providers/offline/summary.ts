// The built-in model's summary for a compaction: extracted from the conversation, so that it holds no invented fact.
import emergencyInstruction from '../../../../templates/compaction/emergency.md';
import normalInstruction from '../../../../templates/compaction/normal.md';
import template from '../../../../templates/offline/summary.md';
import type { ModelRequest, RequestMessage } from '../../conversation/request.ts';
import { SUMMARY_SOURCE } from '../../conversation/systemZone.ts';
import { fill } from '../../platform/templates.ts';
import { clipUnits } from '../../platform/text.ts';
import { code } from './quoting.ts';
import { beforeSlot, ownTexts, type Step, stepsOf } from './situation.ts';
import { exitCodeOf } from './toolText.ts';

/** In the order of the eight sections. */
const SECTIONS = ['task', 'state', 'work', 'findings', 'problems', 'remaining', 'verification', 'preferences'] as const;
type Section = (typeof SECTIONS)[number];
type Sections = Record<Section, string[]>;

const MAX_ENTRY = 400;
const MAX_FOREIGN_SUMMARY = 4_000;

const INSTRUCTIONS = [normalInstruction, emergencyInstruction].map(beforeSlot);

/** The last words are the compaction's instruction. */
export function isSummaryInstruction(text: string): boolean {
  return INSTRUCTIONS.some((instruction) => text.startsWith(instruction));
}

/** At most `maxEntries` entries a section: the first says where it began, the rest are the newest. */
export function summarize(request: ModelRequest, maxEntries: number): string {
  const source = withoutLastText(request.messages);
  const earlier = earlierSections(request.system.find((block) => block.source === SUMMARY_SOURCE)?.text ?? '');
  const found = extract(source);
  const slots = SECTIONS.map((section) => {
    const entries = [...new Set([...(STANDING.has(section) ? earlier[section] : []), ...found[section]])];
    return [section, entries.length > 0 ? bounded(entries, maxEntries).join('\n') : '- None found.'];
  });
  return fill(template, Object.fromEntries(slots) as Record<Section, string>);
}

/** The instruction may stand in a message of its own or behind tool results. */
function withoutLastText(messages: readonly RequestMessage[]): RequestMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages];
  const content = last.content.slice(0, -1);
  return content.length > 0 ? [...messages.slice(0, -1), { role: 'user', content }] : messages.slice(0, -1);
}

/** What an earlier summary says about the open request is out of date now. */
const STANDING = new Set<Section>(['task', 'state', 'work', 'findings', 'problems', 'verification', 'preferences']);

function extract(messages: readonly RequestMessage[]): Sections {
  const words = messages.flatMap((message) => ownTexts(message));
  const steps = stepsOf(messages);
  const commands = steps.filter(({ name }) => name === 'bash');
  const latest = words.at(-1);
  const isOpen =
    messages.at(-1)?.role === 'user' || messages.at(-1)?.content.some((block) => block.type === 'tool_call');
  return {
    task: words.map((text) => entry(text)),
    state: pathsOf(steps, 'read').map((path) => `- Read: ${code(path)}`),
    work: [
      ...pathsOf(steps, 'edit', 'write').map((path) => `- Changed: ${code(path)}`),
      ...commands.map((step) => `- Ran ${code(String(step.input.command ?? ''))}: ${outcome(step)}`),
    ],
    findings: quotedFacts(messages),
    problems: steps
      .filter(({ failed }) => failed)
      .map((step) => entry(`${step.name} ${target(step)}: ${firstLine(step.content)}`)),
    remaining:
      latest === undefined
        ? []
        : [isOpen ? `- Still open: ${oneLine(latest)}` : '- Every request so far was answered.'],
    verification: commands
      .filter(isCheck)
      .map((step) => `- ${code(String(step.input.command ?? ''))}: ${outcome(step)}`),
    preferences: words.filter((text) => PREFERENCE.test(text)).map((text) => entry(text)),
  };
}

const PREFERENCE =
  /\b(?:always|never|only|prefer|from now on|don't|do not|immer|nie|niemals|nur|bitte nicht|siempre|nunca|solo|sólo|sempre|apenas|somente)\b/iu;

function isCheck({ input }: Step): boolean {
  return /\b(?:test|tests|check|lint|build|tsc|pytest|mocha|vitest|jest|cargo|make)\b/.test(
    String(input.command ?? ''),
  );
}

/** Places that answers quoted: `path:line`. */
function quotedFacts(messages: readonly RequestMessage[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role !== 'assistant'
      ? []
      : content.flatMap((block) =>
          block.type === 'text'
            ? block.text
                .split('\n')
                .filter((line) => /^- `+ ?\S+:\d+`?/.test(line))
                .map((line) => clipUnits(line, MAX_ENTRY))
            : [],
        ),
  );
}

function pathsOf(steps: readonly Step[], ...names: string[]): string[] {
  const paths = steps
    .filter(({ name, failed }) => names.includes(name) && !failed)
    .map(({ input }) => String(input.path ?? ''));
  return [...new Set(paths.filter((path) => path !== ''))];
}

function outcome(step: Step): string {
  const exitCode = exitCodeOf(step);
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  return firstLine(step.content);
}

function target({ input }: Step): string {
  return code(String(input.path ?? input.command ?? input.pattern ?? ''));
}

function entry(text: string): string {
  return `- ${oneLine(text)}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_ENTRY ? `${clipUnits(line, MAX_ENTRY - 1)}…` : line;
}

function firstLine(text: string): string {
  return oneLine(text.trimStart().split('\n')[0] ?? '');
}

function bounded(entries: string[], max: number): string[] {
  if (entries.length <= max) return entries;
  const left = entries.length - max;
  return [...entries.slice(0, 1), `- (${left} earlier entries left out)`, ...entries.slice(left + 1)];
}

/** The entries of a summary in our form; another model's summary is kept as one entry, cut to a bound. */
function earlierSections(text: string): Sections {
  const sections = Object.fromEntries(SECTIONS.map((section) => [section, [] as string[]])) as Sections;
  const parts = text.split(/^## ([1-8])\. .*$/m);
  if (text !== '' && parts.length < 2 * SECTIONS.length) {
    sections.findings.push(`- Earlier summary: ${clipUnits(text.replace(/\s+/g, ' ').trim(), MAX_FOREIGN_SUMMARY)}`);
    return sections;
  }
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const section = SECTIONS[Number(parts[index]) - 1];
    const lines = (parts[index + 1] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('- ') && !/^- (?:None found\.|\(\d+ earlier)/.test(line));
    if (section) sections[section].push(...lines);
  }
  return sections;
}

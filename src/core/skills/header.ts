// The YAML header of a SKILL.md, read as forgivingly as possible: a header that is only half right must not take the
// skill away without a word (case A30).
import { parse } from 'yaml';

interface SkillHeader {
  name: string | undefined;
  /** One line; empty when neither the header nor the text has one. */
  description: string;
}

type HeaderResult = { header: SkillHeader; remarks: string[] } | { error: string };

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*$/m;

/** `remarks` are faults that could be put up with, `error` is one that could not; both complete "it ...". */
export function readSkillHeader(text: string): HeaderResult {
  if (text.trim() === '') return { error: 'is empty' };
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) {
    const header = { name: undefined, description: firstProse(text) };
    return { header, remarks: ['has no header; its first sentence serves as the description'] };
  }
  const rest = text.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (!closing) return { error: 'has a header that is not closed by a line of three dashes' };
  const fields = readFields(rest.slice(0, closing.index));
  if ('error' in fields) return fields;
  const { name, description, remarks } = fields;
  if (description !== undefined) return { header: { name, description }, remarks };
  const prose = firstProse(rest.slice(closing.index + closing[0].length));
  return {
    header: { name, description: prose },
    remarks: [...remarks, 'has no description in its header; its first sentence serves as one'],
  };
}

type Fields = { name: string | undefined; description: string | undefined; remarks: string[] };

function readFields(yaml: string): Fields | { error: string } {
  let value: unknown;
  try {
    value = parse(yaml, { logLevel: 'error' });
  } catch (error) {
    return readLines(yaml, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  if (value === null) return { name: undefined, description: undefined, remarks: [] };
  if (typeof value !== 'object' || Array.isArray(value)) return { error: 'has a header that is not a list of fields' };
  const fields = new Map(Object.entries(value));
  return { name: asLine(fields.get('name')), description: asLine(fields.get('description')), remarks: [] };
}

/** An unquoted colon makes `description: Note: ...` invalid YAML; the line itself still says what was meant. */
function readLines(yaml: string, reason: string): Fields | { error: string } {
  const line = (field: string) => asLine(new RegExp(`^${field}:[ \t]*(.*)$`, 'm').exec(yaml)?.[1]);
  const description = line('description');
  const complaint = `has a header that is not valid YAML (${reason.replace(/:$/, '')})`;
  if (description === undefined) return { error: complaint };
  return { name: line('name'), description, remarks: [`${complaint}; it was read line by line`] };
}

/** The first line that is neither a heading nor part of a code block. */
function firstProse(text: string): string {
  let inCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    else if (!inCode && line.trim() !== '' && !/^#{1,6}\s/.test(line)) return asLine(line) ?? '';
  }
  return '';
}

function asLine(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const line = String(value).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

// The text form of a skill being switched on or off. Envelopes are length-delimited, so nothing that stands inside
// one, not even our own tags, can end it early (case A30). Grammar: fact sheet section 3.2.
import { clipUtf8, utf8Length, wellFormed } from '../platform/text.ts';

export interface SkillEnvelope {
  name: string;
  state: 'active' | 'inactive';
  /** The text between the tags. */
  body: string;
}

const OPEN_TAG = /<steiner-skill name=("(?:[^"\\\n]|\\.)*") state="(active|inactive)" bytes="(0|[1-9]\d{0,8})">\n/y;
const CLOSE_TAG = '\n</steiner-skill>';
const SEPARATOR = '\n\n';

/** Lone surrogates become U+FFFD; everything else comes back from `parseEnvelopes` as it was. */
export function renderEnvelope({ name, state, body }: SkillEnvelope): string {
  const inner = wellFormed(body);
  const quoted = JSON.stringify(wellFormed(name));
  return `<steiner-skill name=${quoted} state="${state}" bytes="${utf8Length(inner)}">\n${inner}${CLOSE_TAG}`;
}

/** Reads the envelopes that `text` begins with. `rest` starts at the first thing that is not a whole envelope. */
export function parseEnvelopes(text: string): { envelopes: SkillEnvelope[]; rest: string } {
  const envelopes: SkillEnvelope[] = [];
  let at = 0;
  for (;;) {
    const found = envelopeAt(text, at);
    if (!found) return { envelopes, rest: text.slice(at) };
    envelopes.push(found.envelope);
    at = text.startsWith(SEPARATOR, found.end) ? found.end + SEPARATOR.length : found.end;
  }
}

function envelopeAt(text: string, at: number): { envelope: SkillEnvelope; end: number } | undefined {
  OPEN_TAG.lastIndex = at;
  const [tag, quoted, state, digits] = OPEN_TAG.exec(text) ?? [];
  if (tag === undefined || quoted === undefined || (state !== 'active' && state !== 'inactive')) return undefined;
  const name = unquote(quoted);
  if (name === undefined) return undefined;
  const bytes = Number(digits);
  const start = at + tag.length;
  const body = clipUtf8(text.slice(start), bytes);
  const bodyEnd = start + body.length;
  if (utf8Length(body) !== bytes || !text.startsWith(CLOSE_TAG, bodyEnd)) return undefined;
  return { envelope: { name, state, body }, end: bodyEnd + CLOSE_TAG.length };
}

/** Accepts only what `renderEnvelope` would have written. */
function unquote(quoted: string): string | undefined {
  try {
    const name: unknown = JSON.parse(quoted);
    return typeof name === 'string' && JSON.stringify(name) === quoted ? name : undefined;
  } catch {
    return undefined;
  }
}

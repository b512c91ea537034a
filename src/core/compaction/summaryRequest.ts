// The request that asks for a summary: the same system, tools and messages as before, cut at the source's end, and one
// instruction. It is a prefix of what was sent, so the provider's cache is read (fact sheet section 6.5).
import emergencyTemplate from '../../../templates/compaction/emergency.md';
import focusTemplate from '../../../templates/compaction/focus.md';
import noTextTemplate from '../../../templates/compaction/no-text.md';
import normalTemplate from '../../../templates/compaction/normal.md';
import type { GenerationView } from '../conversation/generation.ts';
import { projectRequest } from '../conversation/project.ts';
import type { ModelRequest, RequestUserBlock } from '../conversation/request.ts';
import { fill } from '../platform/templates.ts';
import type { StageName } from './stages.ts';

const INSTRUCTIONS: Record<StageName, string> = { normal: normalTemplate, emergency: emergencyTemplate };

export interface SummaryRequestOptions {
  stage: StageName;
  /** What the user wants the summary to dwell on. */
  focus: string | undefined;
  /** The last reply to this request held no text. */
  again: boolean;
  /** Tokens. */
  maxOutputTokens: number;
  cacheKey: string;
  /** Tokens; absent: thinking is off. */
  thinkingBudget?: number;
}

export function summaryRequest(source: GenerationView, options: SummaryRequestOptions): ModelRequest {
  const { maxOutputTokens, thinkingBudget, cacheKey } = options;
  const request = projectRequest(source, { maxOutputTokens, thinkingBudget, cacheKey });
  const block: RequestUserBlock = { type: 'text', text: instruction(options) };
  const last = request.messages.at(-1);
  const messages =
    last?.role === 'user'
      ? [...request.messages.slice(0, -1), { ...last, content: [...last.content, block] }]
      : [...request.messages, { role: 'user' as const, content: [block] }];
  return { ...request, messages, purpose: 'summary' };
}

/** The part of a view that holds only these messages. */
export function restrictedTo(view: GenerationView, messages: ReadonlySet<unknown>): GenerationView {
  return {
    generation: view.generation,
    retained: view.retained.filter((message) => messages.has(message)),
    appended: view.appended.filter((message) => messages.has(message)),
  };
}

function instruction({ stage, focus, again }: SummaryRequestOptions): string {
  const wish = focus === undefined || focus.trim() === '' ? '' : fill(focusTemplate, { text: focus.trim() });
  const text = fill(INSTRUCTIONS[stage], { focus: wish }).trimEnd();
  return again ? `${text}\n\n${fill(noTextTemplate)}` : text;
}

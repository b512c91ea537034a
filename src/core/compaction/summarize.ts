// Gets the summary of a source, in one request if that fits, else piece by piece with a running summary (design
// section 6, "The summary call").
import type { GenerationView } from '../conversation/generation.ts';
import type { Message } from '../conversation/message.ts';
import type { ModelRequest } from '../conversation/request.ts';
import { wellFormed } from '../platform/text.ts';
import { fitCompactionRequest } from '../policy/fit.ts';
import { chunksOf } from './chunks.ts';
import { largestHalved } from './halve.ts';
import { restrictedTo, type SummaryRequestOptions, summaryRequest } from './summaryRequest.ts';

export interface SummarizeInput {
  contextWindow: number;
  /** Calibrated tokens of the prompt. */
  estimate(request: ModelRequest): number;
  /** `generation`: id of the one whose whole source the request holds; undefined for a piece. */
  summarize(request: ModelRequest, signal: AbortSignal, generation?: number): Promise<string>;
  signal: AbortSignal;
  /** What does not fit in one request does not fit at all. */
  inOneRequest?: boolean;
  /** Asked of the whole view first, with these main call's settings. `maxOutputTokens`: of the model. */
  inPlace?: { thinkingBudget: number; maxOutputTokens: number };
}

export type SummaryResult = { text: string } | { problem: 'empty' | 'does not fit' };

/** Errors: those of `summarize`, and the signal's reason. */
export async function summarizeSource(
  view: GenerationView,
  source: readonly Message[],
  options: Omit<SummaryRequestOptions, 'again'>,
  input: SummarizeInput,
): Promise<SummaryResult> {
  const { inPlace } = input;
  if (inPlace) {
    const maxOutputTokens = Math.min(options.maxOutputTokens + inPlace.thinkingBudget, inPlace.maxOutputTokens);
    const asked = { ...options, maxOutputTokens, thinkingBudget: inPlace.thinkingBudget };
    if (summaryFits(view, asked, input)) return ask(view, asked, input, view.generation.id);
  }
  const whole = restrictedTo(view, new Set(source));
  if (summaryFits(whole, options, input)) return ask(whole, options, input, view.generation.id);
  if (input.inOneRequest) return { problem: 'does not fit' };
  let rest = chunksOf(source);
  let piece: GenerationView = { generation: view.generation, retained: [], appended: [] };
  for (;;) {
    const next = largestPiece(piece, rest, options, input);
    if (!next) return { problem: 'does not fit' };
    const result = await ask(next.piece, options, input);
    rest = rest.slice(next.chunks);
    if ('problem' in result || rest.length === 0) return result;
    // The parts carried by the generation went into the first piece's summary.
    piece = { generation: { ...view.generation, summary: result.text, carried: [] }, retained: [], appended: [] };
  }
}

async function ask(
  source: GenerationView,
  options: Omit<SummaryRequestOptions, 'again'>,
  { summarize, signal }: SummarizeInput,
  generation?: number,
): Promise<SummaryResult> {
  for (const again of [false, true]) {
    const text = await summarize(summaryRequest(source, { ...options, again }), signal, generation);
    signal.throwIfAborted();
    if (text.trim() !== '') return { text: wellFormed(text.trim()) };
  }
  return { problem: 'empty' };
}

/** As many chunks as fit in one request; one chunk at least, with its largest texts cut if it must be. */
function largestPiece(
  base: GenerationView,
  chunks: readonly Message[][],
  options: Omit<SummaryRequestOptions, 'again'>,
  input: SummarizeInput,
): { piece: GenerationView; chunks: number } | undefined {
  // As retained messages they go out without thinking, which is bound to what no longer stands before it.
  const pieceOf = (messages: readonly Message[]): GenerationView => ({ ...base, retained: messages });
  let [fitting, tooMany] = [0, chunks.length + 1];
  const tryOut = (count: number) => {
    if (summaryFits(pieceOf(chunks.slice(0, count).flat()), options, input)) fitting = count;
    else tooMany = count;
  };
  // From few to many: what lies far beyond the end of the piece is not looked at.
  for (let count = 1; count < tooMany; count *= 2) tryOut(count);
  while (tooMany - fitting > 1) tryOut(Math.floor((fitting + tooMany) / 2));
  if (fitting > 0) return { piece: pieceOf(chunks.slice(0, fitting).flat()), chunks: fitting };
  for (let messages = chunks[0]; messages; messages = largestHalved(messages)) {
    const piece = pieceOf(messages);
    if (summaryFits(piece, options, input)) return { piece, chunks: 1 };
  }
  return undefined;
}

function summaryFits(
  source: GenerationView,
  options: Omit<SummaryRequestOptions, 'again'>,
  { estimate, contextWindow }: SummarizeInput,
): boolean {
  // The second attempt is the longer request.
  const promptTokens = estimate(summaryRequest(source, { ...options, again: true }));
  const { maxOutputTokens } = options;
  return fitCompactionRequest({ promptTokens, contextWindow, maxOutputTokens, summaryMaxTokens: maxOutputTokens }).fits;
}

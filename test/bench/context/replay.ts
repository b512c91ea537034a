// One session through the product's own projection, policy, compaction and markers, with the bill and what was lost.
import { placeBreakpoints } from '../../../src/core/cache/breakpoints.ts';
import type { GenerationView } from '../../../src/core/conversation/generation.ts';
import type { UserMessage } from '../../../src/core/conversation/message.ts';
import { projectRequest } from '../../../src/core/conversation/project.ts';
import type { Breakpoint, ModelRequest } from '../../../src/core/conversation/request.ts';
import type { ModelCapabilities } from '../../../src/core/tokens/capabilities.ts';
import type { Billing } from './billing.ts';
import { Conversation } from './conversation.ts';
import { Measure } from './measure.ts';
import { markedPositions, type PrefixNode, PrefixTree } from './prefixTree.ts';
import { type Pointer, Prompt, pointerOf } from './presence.ts';
import type { Reference } from './references.ts';
import { reReadStep } from './reRead.ts';
import type { BenchPolicy, Room } from './room.ts';
import type { BenchSession } from './sessions.ts';
import { SUMMARY_TOKENS, summaryText } from './summary.ts';
import type { TokenBook } from './tokenBook.ts';
import { callsOf, type Step } from './trace.ts';
import { withoutOldestHalf } from './truncation.ts';
import { VerbatimShare } from './verbatim.ts';

export interface ReplayInput {
  session: BenchSession;
  /** Milliseconds before each step. */
  gaps: readonly number[];
  /** Of each step. */
  references: readonly (readonly Reference[])[];
  policy: BenchPolicy;
  billing: Billing;
  book: TokenBook;
  capabilities: ModelCapabilities;
}

/** Two calls in a row of which the trace says nothing lie so far apart. */
const NEXT_CALL_MS = 6_000;

export async function replay(input: ReplayInput): Promise<Measure> {
  const run = new Replay(input);
  for (let index = 0; index < input.session.steps.length; index++) await run.step(index);
  return run.finish();
}

class Replay {
  readonly #input: ReplayInput;
  readonly #measure = new Measure();
  readonly #conversation: Conversation;
  readonly #tree: PrefixTree;
  readonly #pointers = new Map<string, Pointer>();
  /** Call ids of forced re-reads. */
  readonly #again: string[] = [];
  readonly #said: UserMessage[] = [];
  readonly #verbatim = new VerbatimShare();
  #now = 0;
  #breakpoints: Breakpoint[] = [];
  #previousTail: { node: PrefixNode; at: number } | undefined;

  constructor(input: ReplayInput) {
    this.#input = input;
    this.#conversation = new Conversation(input.book);
    this.#tree = new PrefixTree(input.book);
  }

  async step(index: number): Promise<void> {
    const { session, gaps, references } = this.#input;
    const step = session.steps[index];
    if (!step) return;
    this.#now += gaps[index] ?? 0;
    for (const user of step.users) {
      const message = this.#conversation.user(user, this.#now);
      if (user.text.trim() !== '') this.#said.push(message);
    }
    await this.#makeRoom(index, step.users.length > 0);
    const missing = this.#lookUp(references[index] ?? []);
    const reRead = this.#input.policy.omniscient
      ? undefined
      : reReadStep(missing, this.#conversation.results, this.#input.book, `again ${index}`);
    if (reRead) {
      this.#call(reRead, 'reRead');
      for (const call of callsOf(reRead)) this.#again.push(call.callId);
      this.#now += NEXT_CALL_MS;
      await this.#makeRoom(index, false);
    }
    this.#call(step, 'main');
  }

  finish(): Measure {
    this.#measure.generations = this.#conversation.lineage.generations.length;
    return this.#measure;
  }

  async #makeRoom(index: number, atUserMessage: boolean): Promise<void> {
    const { policy, billing, capabilities, references, book } = this.#input;
    const room: Room = {
      lineage: this.#conversation.lineage,
      capabilities,
      prices: billing.prices,
      now: this.#now,
      atUserMessage,
      ahead: references.slice(index),
      request: () => this.#request(),
      estimate: (request) => book.ofRequest(request),
      estimateView: (view) => book.ofRequest(this.#request(view)),
      summarize: async (request) => this.#summarize(request),
      decided: (milliseconds) => {
        this.#measure.decisions += 1;
        this.#measure.decisionMs += milliseconds;
      },
    };
    await policy.makeRoom(room);
    if (!policy.unbounded) this.#recoverFromOverflow();
  }

  /** What no provider would take is counted, then the oldest half goes. */
  #recoverFromOverflow(): void {
    const { book, capabilities } = this.#input;
    const { lineage } = this.#conversation;
    for (;;) {
      const tokens = book.ofRequest(this.#request()) + capabilities.maxOutputTokens;
      if (tokens <= capabilities.contextWindow) return;
      const shorter = withoutOldestHalf(lineage, this.#now);
      this.#measure.overflows += 1;
      if (!shorter) return;
      lineage.addGeneration(shorter);
    }
  }

  #request(view: GenerationView = this.#conversation.lineage.view()): ModelRequest {
    const { maxOutputTokens } = this.#input.capabilities;
    return projectRequest(view, { maxOutputTokens, cacheKey: 'bench' });
  }

  #lookUp(references: readonly Reference[]): Reference[] {
    if (references.length === 0) return [];
    const { carried } = this.#conversation.lineage.active;
    const prompt = new Prompt(this.#request(), carried);
    return references.flatMap((reference): Reference[] => {
      const presence = prompt.find(reference, this.#pointers, this.#again);
      this.#measure.reference(reference, presence);
      return presence === 'full' ? [] : [reference];
    });
  }

  #call(step: Step, kind: 'main' | 'reRead'): void {
    const { policy, billing, capabilities } = this.#input;
    const request = this.#request();
    const place = policy.breakpoints ?? ((each, previous) => placeBreakpoints(each, { previous, capabilities }));
    const breakpoints = place(request, this.#breakpoints);
    const path = this.#tree.pathOf(request);
    const outputTokens = this.#conversation.answer(step.answer, this.#now);
    const bill = billing.charge({ path, marks: markedPositions(request, breakpoints), outputTokens, now: this.#now });
    this.#measure.bill(kind, bill);
    if (kind === 'main') {
      if (this.#rewrites(path)) this.#measure.rewrites += 1;
      this.#measure.verbatimShares += this.#verbatim.of(this.#said, request, this.#conversation.lineage.active);
    }
    this.#breakpoints = breakpoints;
    const tail = path.at(-1);
    this.#previousTail = tail && { node: tail, at: path.length - 1 };
    policy.called?.(bill.promptTokens, outputTokens);
    this.#takeResults(step);
  }

  #takeResults(step: Step): void {
    const calls = callsOf(step);
    for (const result of step.results) {
      const call = calls.find(({ callId }) => callId === result.callId);
      if (!call) continue;
      const { id } = this.#conversation.result(result, call, this.#now);
      this.#pointers.set(call.callId, pointerOf(id, call.callId, call.input));
    }
  }

  #rewrites(path: readonly PrefixNode[]): boolean {
    return this.#previousTail !== undefined && path[this.#previousTail.at] !== this.#previousTail.node;
  }

  #summarize(request: ModelRequest): string {
    const { billing, capabilities, book } = this.#input;
    const breakpoints = placeBreakpoints(request, { capabilities });
    const text = summaryText(this.#measure.summaries);
    book.fix(text, SUMMARY_TOKENS);
    const path = this.#tree.pathOf(request);
    const marks = markedPositions(request, breakpoints);
    this.#measure.bill('summary', billing.charge({ path, marks, outputTokens: SUMMARY_TOKENS, now: this.#now }));
    return text;
  }
}

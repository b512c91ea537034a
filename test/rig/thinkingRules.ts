// R4 and R9 on a whole request, with the little that the rig has to remember about the turns it sent.
import { hashesBefore, type Prompt } from './prompt.ts';
import { checkSeals, type SealFinding } from './signature.ts';

export class ThinkingRules {
  /** Turns that were not sent to the end: cut, or still running as far as the rig has noticed. */
  #unfinishedTurns = new Set<string>();
  /** Calls of turns in which, with thinking on, the model thought nothing: there is nothing to carry. */
  #callsWithoutThinking = new Set<string>();

  turnBegins(turn: string): void {
    this.#unfinishedTurns.add(turn);
  }

  turnIsComplete(turn: string): void {
    this.#unfinishedTurns.delete(turn);
  }

  turnHadNoThinking(callIds: string[]): void {
    for (const id of callIds) this.#callsWithoutThinking.add(id);
  }

  /** `strict`: the model binds thinking to what stands before it and wants it back in an open tool loop (R9). */
  check(prompt: Prompt, strict: boolean): SealFinding | undefined {
    const hashes = strict ? hashesBefore(prompt) : [];
    for (const [index, message] of prompt.messages.entries()) {
      if (message.role !== 'assistant') continue;
      const hasThinking = message.blocks.some((block) => block.kind === 'thinking' || block.kind === 'redacted');
      if (!hasThinking) continue;
      const finding = checkSeals(message, (turn) => this.#unfinishedTurns.has(turn), hashes[index]);
      if (finding) return finding;
    }
    return strict && prompt.thinkingOn ? this.#checkOpenLoop(prompt) : undefined;
  }

  #checkOpenLoop(prompt: Prompt): SealFinding | undefined {
    const [turn, answer] = prompt.messages.slice(-2);
    const isOpen = answer?.role === 'user' && answer.blocks.some((block) => block.kind === 'result');
    if (!isOpen || turn?.role !== 'assistant') return undefined;
    if (turn.blocks.some((block) => block.kind === 'thinking' || block.kind === 'redacted')) return undefined;
    const calls = turn.blocks.filter((block) => block.kind === 'call');
    if (calls.some((call) => this.#callsWithoutThinking.has(call.callId ?? ''))) return undefined;
    return {
      rule: 'R9',
      message: `${turn.path}: with thinking on, the last assistant turn of an open tool loop must carry its thinking`,
    };
  }
}

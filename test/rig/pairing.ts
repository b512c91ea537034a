// R1: every tool call is answered exactly once, directly after its turn, in call order, before any text.
import type { Block, Message, Prompt, Wire } from './prompt.ts';

const words: Record<Wire, { call: string; result: string }> = {
  anthropic: { call: 'tool_use', result: 'tool_result' },
  openai: { call: 'tool_call', result: 'tool message' },
};

/** What is wrong, or undefined. */
export function checkPairing(prompt: Prompt): string | undefined {
  const { call, result } = words[prompt.wire];
  const seen = new Set<string>();
  for (const [index, message] of prompt.messages.entries()) {
    const calls = idsOf(message, 'call');
    for (const id of calls) {
      if (id === '') return `${call} with an empty id in ${message.path}`;
      if (seen.has(id)) return `${call} ${id} stands more than once in the request`;
      seen.add(id);
    }
    const problem =
      checkAnswers(calls, prompt.messages[index + 1], call, result) ??
      checkResults(message, prompt.messages[index - 1], call, result);
    if (problem) return problem;
  }
  return undefined;
}

function checkAnswers(calls: string[], next: Message | undefined, call: string, result: string): string | undefined {
  if (calls.length === 0) return undefined;
  const answers = next?.role === 'user' ? idsOf(next, 'result') : [];
  const open = calls.find((id) => !answers.includes(id));
  if (open !== undefined) return `${call} ${open} has no ${result} directly after it`;
  const twice = answers.find((id, index) => answers.indexOf(id) !== index);
  if (twice !== undefined) return `${call} ${twice} has more than one ${result}`;
  const known = answers.filter((id) => calls.includes(id));
  if (known.join('\n') !== calls.join('\n'))
    return `the ${result}s ${known.join(', ')} are not in the order of the calls ${calls.join(', ')}`;
  return undefined;
}

function checkResults(message: Message, before: Message | undefined, call: string, result: string): string | undefined {
  const results = idsOf(message, 'result');
  const calls = before?.role === 'assistant' ? idsOf(before, 'call') : [];
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) return `${result} ${orphan} answers no ${call} of the turn directly before it`;
  const late = message.blocks.find(
    (block, index) =>
      block.kind === 'result' && message.blocks.slice(0, index).some((other) => other.kind !== 'result'),
  );
  if (late) return `${result} ${late.callId} stands after other content of its message`;
  return undefined;
}

function idsOf(message: Message, kind: Block['kind']): string[] {
  return message.blocks.flatMap((block) => (block.kind === kind ? [block.callId ?? ''] : []));
}

// Is one request the byte prefix of a later one? (design invariant 2: tools, system, messages; cache markers aside)
import type { LoggedRequest } from './log.ts';
import type { Block, Prompt, Zone } from './prompt.ts';

type PrefixResult =
  | { isPrefix: true }
  | {
      isPrefix: false;
      zone: Zone;
      /** The first block that differs, by its path in the earlier request. */
      path: string;
      /** UTF-8 bytes into the block's canonical text. */
      offset: number;
      /** The earlier and the later text around the place; empty when the block is missing or new. */
      earlier: string;
      later: string;
    };

/**
 * Compares zone by zone: tools and system must be equal, and the earlier messages a prefix of the later ones, block
 * by block. An Anthropic message may grow by further blocks, since that server joins messages of one role.
 */
export function prefixBytes(earlier: LoggedRequest, later: LoggedRequest): PrefixResult {
  const [a, b] = [promptOf(earlier), promptOf(later)];
  return (
    compare('tools', a.tools, b.tools, true) ??
    compare('system', a.system, b.system, true) ??
    compare('messages', messageBlocks(a), messageBlocks(b), false) ?? { isPrefix: true }
  );
}

/** The canonical text of a request: one line for each block, tools, system, messages, markers removed. */
export function canonicalText(request: LoggedRequest): string {
  const prompt = promptOf(request);
  return [...prompt.tools, ...prompt.system, ...messageBlocks(prompt)].map((block) => `${block.canonical}\n`).join('');
}

function compare(zone: Zone, a: Block[], b: Block[], exact: boolean): PrefixResult | undefined {
  const length = exact ? Math.max(a.length, b.length) : a.length;
  for (let index = 0; index < length; index++) {
    const [earlier = '', later = ''] = [a[index]?.canonical, b[index]?.canonical];
    if (earlier !== later) return difference(zone, (a[index] ?? b[index])?.path ?? zone, earlier, later);
  }
  return undefined;
}

function difference(zone: Zone, path: string, earlier: string, later: string): PrefixResult {
  let same = 0;
  while (same < earlier.length && same < later.length && earlier[same] === later[same]) same++;
  const around = (text: string) => text.slice(Math.max(0, same - 40), same + 80);
  const offset = Buffer.byteLength(earlier.slice(0, same));
  return { isPrefix: false, zone, path, offset, earlier: around(earlier), later: around(later) };
}

function messageBlocks(prompt: Prompt): Block[] {
  return prompt.messages.flatMap((message) => message.blocks);
}

function promptOf(request: LoggedRequest): Prompt {
  if (!request.prompt) throw new Error(`Request ${request.n} is no model call that the wire knows`);
  return request.prompt;
}

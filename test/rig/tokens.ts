// The rig's own token rule, so that every count in a test can be worked out by hand:
// a block has (UTF-8 bytes of its texts) x tokensPerByte tokens, rounded up per block, and an image adds
// width x height / 750, rounded up. A tool counts its JSON, a call its name and the JSON of its arguments.
import { imageFacts } from './image.ts';
import { byteLength } from './json.ts';
import { type Block, blocksOf, type Image, type Prompt } from './prompt.ts';

export const defaultTokensPerByte = 0.25;
const pixelsPerToken = 750;

export function blockTokens(block: Block, tokensPerByte: number): number {
  const bytes = block.texts.reduce((sum, text) => sum + byteLength(text), 0);
  return Math.ceil(bytes * tokensPerByte) + block.images.reduce((sum, image) => sum + imageTokens(image), 0);
}

export function promptTokens(prompt: Prompt, tokensPerByte: number): number {
  return blocksOf(prompt).reduce((sum, block) => sum + blockTokens(block, tokensPerByte), 0);
}

function imageTokens(image: Image): number {
  const facts = image.bytes && imageFacts(image.bytes);
  return facts ? Math.ceil((facts.width * facts.height) / pixelsPerToken) : 0;
}

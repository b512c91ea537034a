// R5 (window) and R6 (body size, images).
import { imageFacts } from './image.ts';
import { blocksOf, type Image, type Prompt } from './prompt.ts';

export const maxBodyBytes = 32 * 1024 * 1024;
const manyImages = 20;
const maxSideOfMany = 2000;
const maxSide = 8000;

/** R5. `window` in tokens. The text after the rule's name is the vendor's, which products recognise. */
export function checkWindow(prompt: Prompt, tokens: number, window: number): string | undefined {
  if (tokens <= window) return undefined;
  return prompt.wire === 'anthropic'
    ? `prompt is too long: ${tokens} tokens > ${window} maximum`
    : `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
}

/** R6, as far as it is about images. What is wrong, or undefined. */
export function checkImages(prompt: Prompt): string | undefined {
  const images = blocksOf(prompt).flatMap((block) => block.images.map((image) => ({ image, path: block.path })));
  const limit = images.length > manyImages ? maxSideOfMany : maxSide;
  for (const { image, path } of images) {
    const problem = checkImage(image, limit);
    if (problem)
      return `${path}: ${problem}${limit === maxSideOfMany ? ` (${images.length} images in the request)` : ''}`;
  }
  return undefined;
}

function checkImage(image: Image, limit: number): string | undefined {
  if (!image.bytes) return undefined;
  const facts = imageFacts(image.bytes);
  if (!facts) return `the image is declared as ${image.mediaType} and is no image the rig knows`;
  if (facts.mediaType !== image.mediaType)
    return `the image is declared as ${image.mediaType} and is ${facts.mediaType}`;
  if (Math.max(facts.width, facts.height) > limit)
    return `image dimensions ${facts.width}x${facts.height} exceed ${limit} pixels a side`;
  return undefined;
}

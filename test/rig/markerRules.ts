// R7: what an Anthropic-like server refuses about cache markers.
import { blocksOf, type Prompt } from './prompt.ts';

const maxMarkers = 4;

/** What is wrong, or undefined. */
export function checkMarkers(prompt: Prompt): string | undefined {
  const marked = blocksOf(prompt).filter((block) => block.marker !== undefined);
  if (marked.length > maxMarkers)
    return `a maximum of ${maxMarkers} blocks with cache_control may be provided, found ${marked.length}`;
  const onThinking = marked.find((block) => block.kind === 'thinking' || block.kind === 'redacted');
  if (onThinking) return `${onThinking.path}: cache_control cannot be set on a ${onThinking.kind} block`;
  const firstShort = marked.findIndex((block) => block.marker === '5m');
  const lateLong = firstShort === -1 ? undefined : marked.slice(firstShort).find((block) => block.marker === '1h');
  if (lateLong) return `${lateLong.path}: a marker of 1h must not stand after one of 5m`;
  return undefined;
}

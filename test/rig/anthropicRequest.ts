// Reads a Messages request body (POST /v1/messages) into the rig's own shape.
import { isRecord, type JsonRecord } from './json.ts';
import { type Block, type CacheTtl, type Image, type Message, type Prompt, ShapeError, type Zone } from './prompt.ts';

const callIdPattern = /^[a-zA-Z0-9_-]+$/;

export function readAnthropicRequest(body: unknown): Prompt {
  if (!isRecord(body)) throw new ShapeError('body: expected an object');
  if (typeof body.model !== 'string') throw new ShapeError('model: field required');
  if (typeof body.max_tokens !== 'number' || body.max_tokens < 1) throw new ShapeError('max_tokens: field required');
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    throw new ShapeError('messages: at least one message is required');
  const messages = body.messages.map((message, index) => readMessage(message, `messages.${index}`));
  if (messages[0]?.role !== 'user') throw new ShapeError('messages.0: first message must use the "user" role');

  const prompt: Prompt = {
    wire: 'anthropic',
    model: body.model,
    tools: readTools(body.tools),
    system: readSystem(body.system),
    messages,
    stream: body.stream === true,
    includeUsage: true,
    thinkingOn: readThinking(body.thinking, body.max_tokens),
    maxTokens: body.max_tokens,
    messageCacheSeed: JSON.stringify([body.tool_choice ?? null, body.thinking ?? null]),
  };
  markLastBlock(prompt, readMarker(body.cache_control, 'cache_control'));
  return prompt;
}

function readTools(tools: unknown): Block[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw new ShapeError('tools: expected a list');
  return tools.map((tool, index) => {
    const path = `tools.${index}`;
    if (!isRecord(tool) || typeof tool.name !== 'string') throw new ShapeError(`${path}.name: field required`);
    if (tool.type === undefined && !isRecord(tool.input_schema))
      throw new ShapeError(`${path}.input_schema: field required`);
    const json = JSON.stringify(withoutMarker(tool));
    return block('tool', 'tools', path, `tool>${json}`, [json], tool);
  });
}

function readSystem(system: unknown): Block[] {
  if (system === undefined) return [];
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  if (!Array.isArray(blocks)) throw new ShapeError('system: expected text or a list of text blocks');
  return blocks.map((item, index) => {
    const path = `system.${index}`;
    if (!isRecord(item) || item.type !== 'text' || typeof item.text !== 'string')
      throw new ShapeError(`${path}: expected a text block`);
    return block('text', 'system', path, canonical('system', item), [item.text], item);
  });
}

function readMessage(message: unknown, path: string): Message {
  if (!isRecord(message)) throw new ShapeError(`${path}: expected an object`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw new ShapeError(`${path}.role: expected user, assistant or system`);
  const items = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!Array.isArray(items)) throw new ShapeError(`${path}.content: expected text or a list of blocks`);
  if (items.length === 0) throw new ShapeError(`${path}.content: must not be empty`);
  return { role, path, blocks: items.map((item, index) => readBlock(item, role, `${path}.content.${index}`)) };
}

function readBlock(item: unknown, role: Message['role'], path: string): Block {
  if (!isRecord(item)) throw new ShapeError(`${path}: expected an object`);
  const known = (kind: Block['kind'], texts: string[], more: Partial<Block> = {}): Block => ({
    ...block(kind, 'messages', path, canonical(role, item), texts, item),
    ...more,
  });
  const only = (allowed: Message['role']) => {
    if (role !== allowed) throw new ShapeError(`${path}: ${item.type} may only stand in a message of the ${allowed}`);
  };
  switch (item.type) {
    case 'text':
      return known('text', [stringField(item, 'text', path)]);
    case 'image':
      only('user');
      return known('image', [], { images: [readImage(item, path)] });
    case 'tool_use': {
      only('assistant');
      if (!isRecord(item.input)) throw new ShapeError(`${path}.input: expected an object`);
      const name = stringField(item, 'name', path);
      return known('call', [`${name}${JSON.stringify(item.input)}`], { callId: callId(item, 'id', path) });
    }
    case 'tool_result':
      only('user');
      return known('result', [], {
        ...readResultContent(item.content, path),
        callId: callId(item, 'tool_use_id', path),
        isError: item.is_error === true,
        marker: readMarker(item.cache_control, path) ?? nestedMarker(item.content, path),
      });
    case 'thinking':
      only('assistant');
      return known('thinking', [stringField(item, 'thinking', path)], { seal: stringField(item, 'signature', path) });
    case 'redacted_thinking':
      only('assistant');
      return known('redacted', [], { seal: stringField(item, 'data', path) });
    default:
      throw new ShapeError(`${path}.type: ${JSON.stringify(item.type)} is not known to the rig`);
  }
}

function readResultContent(content: unknown, path: string): { texts: string[]; images: Image[] } {
  if (content === undefined) return { texts: [''], images: [] };
  if (typeof content === 'string') return { texts: [content], images: [] };
  if (!Array.isArray(content)) throw new ShapeError(`${path}.content: expected text or a list of blocks`);
  const texts: string[] = [];
  const images: Image[] = [];
  for (const [index, part] of content.entries()) {
    const at = `${path}.content.${index}`;
    if (isRecord(part) && part.type === 'text') texts.push(stringField(part, 'text', at));
    else if (isRecord(part) && part.type === 'image') images.push(readImage(part, at));
    else throw new ShapeError(`${at}: expected text or image`);
  }
  return { texts: texts.length + images.length === 0 ? [''] : texts, images };
}

function readImage(item: JsonRecord, path: string): Image {
  const source = item.source;
  if (!isRecord(source)) throw new ShapeError(`${path}.source: field required`);
  if (source.type === 'url') return { mediaType: 'url' };
  if (source.type !== 'base64') throw new ShapeError(`${path}.source.type: expected base64 or url`);
  return {
    mediaType: stringField(source, 'media_type', `${path}.source`),
    bytes: Buffer.from(stringField(source, 'data', `${path}.source`), 'base64'),
  };
}

function readThinking(thinking: unknown, maxTokens: number): boolean {
  if (thinking === undefined || thinking === null) return false;
  if (!isRecord(thinking)) throw new ShapeError('thinking: expected an object');
  if (thinking.type === 'enabled') {
    const budget = thinking.budget_tokens;
    if (typeof budget !== 'number' || budget < 1024) throw new ShapeError('thinking.budget_tokens: at least 1024');
    if (budget >= maxTokens) throw new ShapeError('max_tokens: must be greater than thinking.budget_tokens');
  }
  return thinking.type !== 'disabled';
}

function block(
  kind: Block['kind'],
  zone: Zone,
  path: string,
  canonicalText: string,
  texts: string[],
  item: JsonRecord,
): Block {
  return {
    kind,
    zone,
    path,
    canonical: canonicalText,
    texts,
    images: [],
    marker: readMarker(item.cache_control, path),
  };
}

function canonical(role: string, item: JsonRecord): string {
  return `${role}>${JSON.stringify(withoutMarker(item))}`;
}

function withoutMarker(item: JsonRecord): JsonRecord {
  const { cache_control: _, ...rest } = item;
  if (item.type === 'tool_result' && Array.isArray(item.content))
    rest.content = item.content.map((part) => (isRecord(part) ? withoutMarker(part) : part));
  return rest;
}

function readMarker(marker: unknown, path: string): CacheTtl | undefined {
  if (marker === undefined || marker === null) return undefined;
  if (!isRecord(marker) || marker.type !== 'ephemeral')
    throw new ShapeError(`${path}.cache_control.type: expected ephemeral`);
  const ttl = marker.ttl ?? '5m';
  if (ttl !== '5m' && ttl !== '1h') throw new ShapeError(`${path}.cache_control.ttl: expected 5m or 1h`);
  return ttl;
}

function nestedMarker(content: unknown, path: string): CacheTtl | undefined {
  if (!Array.isArray(content)) return undefined;
  const marked = content.findLast((part) => isRecord(part) && part.cache_control !== undefined);
  return isRecord(marked) ? readMarker(marked.cache_control, path) : undefined;
}

/** A marker at the top level of the body stands for one on the last block that can carry it. */
function markLastBlock(prompt: Prompt, marker: CacheTtl | undefined): void {
  if (marker === undefined) return;
  const last = prompt.messages
    .flatMap((message) => message.blocks)
    .findLast((item) => item.kind !== 'thinking' && item.kind !== 'redacted');
  if (last) last.marker ??= marker;
}

function stringField(item: JsonRecord, name: string, path: string): string {
  const value = item[name];
  if (typeof value !== 'string') throw new ShapeError(`${path}.${name}: expected text`);
  return value;
}

function callId(item: JsonRecord, name: string, path: string): string {
  const id = stringField(item, name, path);
  if (!callIdPattern.test(id)) throw new ShapeError(`${path}.${name}: must match ${callIdPattern.source}`);
  return id;
}

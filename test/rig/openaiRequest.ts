// Reads a Chat Completions request body (POST /v1/chat/completions) into the rig's own shape.
import { isRecord, type JsonRecord } from './json.ts';
import { type Block, type Image, type Message, type Prompt, ShapeError } from './prompt.ts';

export function readOpenAiRequest(body: unknown): Prompt {
  if (!isRecord(body)) throw new ShapeError('body: expected an object');
  if (typeof body.model !== 'string') throw new ShapeError('model: you must provide a model parameter');
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    throw new ShapeError('messages: at least one message is required');
  const read = body.messages.map((message, index) => readMessage(message, `messages.${index}`));
  const firstOther = read.findIndex((message) => message.role !== 'system');
  const headLength = firstOther === -1 ? read.length : firstOther;
  const options = isRecord(body.stream_options) ? body.stream_options : {};
  const limit = body.max_completion_tokens ?? body.max_tokens;
  return {
    wire: 'openai',
    model: body.model,
    tools: readTools(body.tools),
    system: read
      .slice(0, headLength)
      .flatMap((message) => message.blocks.map((block): Block => ({ ...block, zone: 'system' }))),
    messages: joinResults(read.slice(headLength)),
    stream: body.stream === true,
    includeUsage: options.include_usage === true,
    thinkingOn: false,
    maxTokens: typeof limit === 'number' ? limit : undefined,
    messageCacheSeed: '',
  };
}

function readTools(tools: unknown): Block[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) throw new ShapeError('tools: expected a list that is not empty');
  return tools.map((tool, index) => {
    const path = `tools.${index}`;
    if (!isRecord(tool) || tool.type !== 'function' || !isRecord(tool.function))
      throw new ShapeError(`${path}: expected a function tool`);
    if (typeof tool.function.name !== 'string') throw new ShapeError(`${path}.function.name: missing`);
    const json = JSON.stringify(tool);
    return newBlock('tool', path, `tool>${json}`, [json], { zone: 'tools' });
  });
}

function readMessage(message: unknown, path: string): Message {
  if (!isRecord(message)) throw new ShapeError(`${path}: expected an object`);
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', path, blocks: readContent(message, message.role, path) };
    case 'user':
      return { role: 'user', path, blocks: readContent(message, 'user', path) };
    case 'tool':
      return { role: 'user', path, blocks: [readResult(message, path)] };
    case 'assistant':
      return { role: 'assistant', path, blocks: readAssistant(message, path) };
    default:
      throw new ShapeError(`${path}.role: ${JSON.stringify(message.role)} is not a role`);
  }
}

function readAssistant(message: JsonRecord, path: string): Block[] {
  const calls = message.tool_calls ?? [];
  if (!Array.isArray(calls)) throw new ShapeError(`${path}.tool_calls: expected a list`);
  if (message.tool_calls !== undefined && calls.length === 0)
    throw new ShapeError(`${path}.tool_calls: must not be empty`);
  const hasContent = message.content !== undefined && message.content !== null;
  if (!hasContent && calls.length === 0) throw new ShapeError(`${path}.content: required without tool_calls`);
  const text = hasContent ? readContent(message, 'assistant', path) : [];
  return [...text, ...calls.map((call, index) => readCall(call, `${path}.tool_calls.${index}`))];
}

function readCall(call: unknown, path: string): Block {
  if (!isRecord(call) || call.type !== 'function' || !isRecord(call.function))
    throw new ShapeError(`${path}: expected a function call`);
  const { name, arguments: input } = call.function;
  if (typeof call.id !== 'string') throw new ShapeError(`${path}.id: expected text`);
  if (typeof name !== 'string') throw new ShapeError(`${path}.function.name: expected text`);
  if (typeof input !== 'string') throw new ShapeError(`${path}.function.arguments: expected text`);
  return newBlock('call', path, `assistant>${JSON.stringify(call)}`, [`${name}${input}`], { callId: call.id });
}

function readResult(message: JsonRecord, path: string): Block {
  if (typeof message.tool_call_id !== 'string') throw new ShapeError(`${path}.tool_call_id: expected text`);
  const parts = readContent(message, 'tool', path);
  return newBlock(
    'result',
    path,
    `tool-result>${JSON.stringify(message)}`,
    parts.flatMap((part) => part.texts),
    { callId: message.tool_call_id },
  );
}

/** The parts of one message. A first part and a later part differ in their canonical text: boundaries count here. */
function readContent(message: JsonRecord, role: string, path: string): Block[] {
  const { content } = message;
  if (typeof content === 'string')
    return [
      newBlock('text', `${path}.content`, `${role}>${JSON.stringify({ type: 'text', text: content })}`, [content]),
    ];
  if (!Array.isArray(content) || content.length === 0)
    throw new ShapeError(`${path}.content: expected text or a list of parts`);
  return content.map((part, index) => {
    const at = `${path}.content.${index}`;
    const canonical = `${index === 0 ? role : `+${role}`}>${JSON.stringify(part)}`;
    if (isRecord(part) && part.type === 'text' && typeof part.text === 'string')
      return newBlock('text', at, canonical, [part.text]);
    if (isRecord(part) && part.type === 'image_url' && role === 'user')
      return newBlock('image', at, canonical, [], { images: [readImage(part, at)] });
    throw new ShapeError(`${at}: expected a text${role === 'user' ? ' or image_url' : ''} part`);
  });
}

function readImage(part: JsonRecord, path: string): Image {
  const url = isRecord(part.image_url) ? part.image_url.url : undefined;
  if (typeof url !== 'string') throw new ShapeError(`${path}.image_url.url: expected text`);
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (!inline) return { mediaType: 'url' };
  return { mediaType: inline[1] ?? '', bytes: Buffer.from(inline[2] ?? '', 'base64') };
}

/** `tool` messages that follow one another are the answers to one turn. */
function joinResults(messages: Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last && isResults(last) && isResults(message)) last.blocks.push(...message.blocks);
    else joined.push({ ...message, blocks: [...message.blocks] });
  }
  return joined;
}

function isResults(message: Message): boolean {
  return message.blocks[0]?.kind === 'result';
}

function newBlock(
  kind: Block['kind'],
  path: string,
  canonical: string,
  texts: string[],
  more: Partial<Block> = {},
): Block {
  return { kind, zone: 'messages', path, canonical, texts, images: [], ...more };
}

// Answers one model call: checks the rules, asks the script, accounts for the cache, sends the reply.
import type { ServerResponse } from 'node:http';
import { AnthropicCache } from './anthropicCache.ts';
import { anthropicErrorEvent, anthropicEvents, anthropicMessage } from './anthropicReply.ts';
import { readAnthropicRequest } from './anthropicRequest.ts';
import { errorBody } from './errors.ts';
import type { LoggedRequest, UsageGiven } from './log.ts';
import { OpenAiCache } from './openaiCache.ts';
import { openAiChunks, openAiCompletion, openAiErrorChunk } from './openaiReply.ts';
import { readOpenAiRequest } from './openaiRequest.ts';
import { hashesBefore, type Prompt, ShapeError } from './prompt.ts';
import { outputTokens, partText } from './replyContent.ts';
import { checkRules } from './rules.ts';
import type { Reply, Script, StatusReply } from './script.ts';
import type { RigModel, RigSettings } from './settings.ts';
import { type Ending, Sender } from './stream.ts';
import { ThinkingRules } from './thinkingRules.ts';
import { promptTokens } from './tokens.ts';

export class ModelCalls {
  readonly #settings: RigSettings;
  readonly #script: Script;
  readonly #thinking = new ThinkingRules();
  readonly #anthropicCache: AnthropicCache;
  readonly #openAiCache: OpenAiCache;
  #replies = 0;
  #calls = 0;
  #saidReplacementCharacter = false;

  constructor(settings: RigSettings, script: Script, now: () => number) {
    this.#settings = settings;
    this.#script = script;
    this.#anthropicCache = new AnthropicCache(now);
    this.#openAiCache = new OpenAiCache(now);
  }

  async answer(request: LoggedRequest, response: ServerResponse): Promise<void> {
    const model = this.#accept(request, response);
    if (!model || !request.prompt) return;
    const step = await this.#script.next(request);
    if (!step) {
      refuse(request, response, 400, 'SCRIPT', 'the script has no reply for this request');
      return;
    }
    if ('status' in step) answerStatus(request, response, step);
    else await this.#reply(this.#withCallIds(step, request.prompt), request, request.prompt, model, response);
  }

  /** The model, if the request is one that the server would take; else it was answered with the reason. */
  #accept(request: LoggedRequest, response: ServerResponse): RigModel | undefined {
    let prompt: Prompt;
    try {
      prompt = request.wire === 'anthropic' ? readAnthropicRequest(request.body) : readOpenAiRequest(request.body);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      refuse(request, response, 400, 'SHAPE', error.message);
      return undefined;
    }
    request.prompt = prompt;
    const { tokensPerByte, models, replacementCharacterAllowed } = this.#settings;
    const tokens = promptTokens(prompt, tokensPerByte);
    request.promptTokens = tokens;
    const model = models.find((known) => known.id === prompt.model && known.wire === prompt.wire);
    if (!model) {
      const message =
        prompt.wire === 'anthropic' ? `model: ${prompt.model}` : `The model \`${prompt.model}\` does not exist`;
      answerStatus(request, response, { status: 404, message });
      return undefined;
    }
    const broken = checkRules(
      {
        prompt,
        body: request.body,
        model,
        tokens,
        replacementCharacterAllowed: replacementCharacterAllowed || this.#saidReplacementCharacter,
      },
      this.#thinking,
    );
    if (!broken) return model;
    const code = broken.rule === 'R5' ? 'context_length_exceeded' : undefined;
    refuse(request, response, 400, broken.rule, broken.message, code);
    return undefined;
  }

  async #reply(reply: Reply, request: LoggedRequest, prompt: Prompt, model: RigModel, response: ServerResponse) {
    const sender = new Sender(response, reply);
    const headersEnding = await sender.faultAtHeaders((code) => answerStatus(request, response, { status: code }));
    if (headersEnding) {
      request.end = headersEnding;
      return;
    }
    const id = `${prompt.wire === 'anthropic' ? 'msg' : 'chatcmpl'}_rig_${++this.#replies}`;
    this.#remember(reply, prompt);
    this.#thinking.turnBegins(id);
    const { account, commit } = this.#account(prompt, model);
    const usage = usageOf(reply, account, outputTokens(reply, this.#settings.tokensPerByte));
    const isReported =
      reply.usage !== 'absent' && (prompt.wire === 'anthropic' || !prompt.stream || prompt.includeUsage);
    request.usage = isReported ? usage : undefined;
    request.status = 200;
    // An entry is readable once the reply starts streaming.
    commit();
    const ending = await this.#send(reply, request, prompt, id, sender, response);
    request.end = ending;
    if (ending !== 'complete') return;
    this.#thinking.turnIsComplete(id);
    if (sender.faultMissed)
      request.violation = { rule: 'SCRIPT', message: `SCRIPT: the reply had no ${reply.fault?.at} to break at` };
  }

  async #send(
    reply: Reply,
    request: LoggedRequest,
    prompt: Prompt,
    id: string,
    sender: Sender,
    response: ServerResponse,
  ): Promise<Ending> {
    const { wire, model, stream } = prompt;
    const { usage } = request;
    const boundTo = hashesBefore(prompt).at(-1) ?? '';
    if (!stream) {
      const body =
        wire === 'anthropic'
          ? anthropicMessage(reply, { messageId: id, model, boundTo, usage })
          : openAiCompletion(reply, { completionId: id, model, usage });
      sendJson(response, 200, body);
      return 'complete';
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': `req_rig_${request.n}`,
    });
    response.flushHeaders();
    return wire === 'anthropic'
      ? sender.send(anthropicEvents(reply, { messageId: id, model, boundTo, usage }), anthropicErrorEvent)
      : sender.send(openAiChunks(reply, { completionId: id, model, usage }), openAiErrorChunk);
  }

  #account(prompt: Prompt, model: RigModel): { account: Omit<UsageGiven, 'output'>; commit: () => void } {
    const { tokensPerByte } = this.#settings;
    if (prompt.wire === 'anthropic') return this.#anthropicCache.account(prompt, tokensPerByte, model.minCacheTokens);
    const { total, cached, commit } = this.#openAiCache.account(prompt, tokensPerByte);
    return { account: { input: total - cached, cacheRead: cached, cacheWrite5m: 0, cacheWrite1h: 0 }, commit };
  }

  #withCallIds(reply: Reply, { wire }: Prompt): Reply {
    const newId = () => `${wire === 'anthropic' ? 'toolu' : 'call'}_rig_${++this.#calls}`;
    return {
      ...reply,
      parts: reply.parts.map((part) => (part.kind === 'call' ? { ...part, id: part.id ?? newId() } : part)),
    };
  }

  /** What later requests are judged by. */
  #remember(reply: Reply, prompt: Prompt): void {
    if (reply.parts.some((part) => partText(part).includes('\ufffd'))) this.#saidReplacementCharacter = true;
    const thought = reply.parts.some((part) => part.kind === 'thinking' || part.kind === 'redacted');
    if (prompt.thinkingOn && !thought)
      this.#thinking.turnHadNoThinking(reply.parts.flatMap((part) => (part.kind === 'call' ? [part.id ?? ''] : [])));
  }
}

function usageOf(reply: Reply, account: Omit<UsageGiven, 'output'>, output: number): UsageGiven {
  if (reply.usage === 'zero') return { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  if (typeof reply.usage !== 'object') return { ...account, output };
  const { input, cacheRead = 0, cacheWrite = 0, output: scripted } = reply.usage;
  return { input, cacheRead, cacheWrite5m: cacheWrite, cacheWrite1h: 0, output: scripted };
}

/** Answers with the rule's name in front and notes the violation. */
export function refuse(
  request: LoggedRequest,
  response: ServerResponse,
  status: number,
  rule: string,
  text: string,
  code?: string,
): void {
  const message = `${rule}: ${text}`;
  request.violation = { rule, message };
  request.status = status;
  request.end = 'complete';
  sendJson(response, status, errorBody(request.wire, status, message, code));
}

export function answerStatus(request: LoggedRequest, response: ServerResponse, reply: StatusReply): void {
  if (reply.retryAfter !== undefined) response.setHeader('retry-after', String(reply.retryAfter));
  if (reply.retryAfterMs !== undefined) response.setHeader('retry-after-ms', String(reply.retryAfterMs));
  request.status = reply.status;
  request.end = 'complete';
  sendJson(response, reply.status, errorBody(request.wire, reply.status, reply.message));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const json = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
}

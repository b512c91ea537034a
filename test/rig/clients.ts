// The official SDKs and a plain POST, pointed at a rig, for the rig's own suites. SDK retries are off.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { isRecord, type JsonRecord } from './json.ts';
import type { Rig } from './server.ts';
import { rigKey } from './settings.ts';

export const anthropicModel = 'claude-opus-5-5';
export const openAiModel = 'gpt-6';

export function anthropicClient(rig: Rig, apiKey = rigKey): Anthropic {
  return new Anthropic({ baseURL: rig.baseUrlAnthropic, apiKey, maxRetries: 0 });
}

export function openAiClient(rig: Rig, apiKey = rigKey): OpenAI {
  return new OpenAI({ baseURL: rig.baseUrlOpenAI, apiKey, maxRetries: 0 });
}

interface Answer {
  status: number;
  headers: Headers;
  body: JsonRecord;
  /** The message of an error body, else empty. */
  error: string;
}

/** Sends an Anthropic request without streaming; `more` adds to or replaces the usual fields. */
export function postMessages(rig: Rig, messages: unknown[], more: JsonRecord = {}): Promise<Answer> {
  const body = { model: anthropicModel, max_tokens: 4096, messages, ...more };
  return postBytes(`${rig.baseUrlAnthropic}/v1/messages`, JSON.stringify(body));
}

/** Sends an OpenAI request without streaming; `more` adds to or replaces the usual fields. */
export function postChat(rig: Rig, messages: unknown[], more: JsonRecord = {}): Promise<Answer> {
  return postBytes(`${rig.baseUrlOpenAI}/chat/completions`, JSON.stringify({ model: openAiModel, messages, ...more }));
}

export async function postBytes(url: string, body: string | Uint8Array<ArrayBuffer>): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${rigKey}` };
  const response = await fetch(url, { method: 'POST', headers, body });
  const json: unknown = await response.json();
  const record = isRecord(json) ? json : {};
  const error = isRecord(record.error) && typeof record.error.message === 'string' ? record.error.message : '';
  return { status: response.status, headers: response.headers, body: record, error };
}

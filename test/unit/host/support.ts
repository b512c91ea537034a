// A transcript whose operations are replayed as the webview would, and builders for its events.
import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/agent/events.ts';
import type { Generation } from '../../../src/core/conversation/generation.ts';
import type { Message, ToolCallBlock } from '../../../src/core/conversation/message.ts';
import { Transcript } from '../../../src/host/chat/transcript.ts';
import { type ChatItem, chatItem, type DeltaOperation, deltaOperation } from '../../../src/protocol.ts';

export type ToolItem = Extract<ChatItem, { kind: 'tool' }>;

export const NOW = 1_000;

export function titleOf(call: ToolCallBlock): string {
  return call.problem === undefined ? `title of ${call.callId}` : '';
}

export function newTranscript(): Transcript {
  return new Transcript({ titleOf, now: () => NOW });
}

/** The items of a session that is opened again. */
export function reloaded(entries: readonly (Message | Generation)[]): readonly ChatItem[] {
  const transcript = newTranscript();
  transcript.load(entries);
  return transcript.items;
}

/** Applies events and keeps a second list from the operations alone, by the words of the protocol. */
export class WatchedTranscript {
  readonly transcript = newTranscript();
  readonly #shown: ChatItem[] = [];

  get items(): readonly ChatItem[] {
    return this.transcript.items;
  }

  /** Errors: AssertionError when an operation is not of the protocol, or leads elsewhere than the transcript did. */
  apply(...events: AgentEvent[]): DeltaOperation[] {
    return events.flatMap((event) => {
      const operations = this.transcript.apply(event);
      for (const operation of operations) {
        assert.deepEqual(deltaOperation.parse(operation), operation);
        replay(this.#shown, operation);
      }
      for (const item of this.items) assert.deepEqual(chatItem.parse(item), item);
      assert.deepEqual(this.#shown, this.items, `after ${event.type}`);
      return operations;
    });
  }

  tool(callId: string): ToolItem {
    const item = this.transcript.item(callId);
    assert.ok(item?.kind === 'tool');
    return item;
  }
}

function replay(shown: ChatItem[], operation: DeltaOperation): void {
  assert.ok(operation.op !== 'state');
  const id = operation.op === 'put' ? operation.item.id : operation.id;
  const position = shown.findIndex((item) => item.id === id);
  if (operation.op === 'put') {
    if (position < 0) shown.push(structuredClone(operation.item));
    else shown[position] = structuredClone(operation.item);
    return;
  }
  const item = shown[position];
  assert.ok(item, `${operation.op} of an item that is not shown`);
  if (operation.op === 'remove') shown.splice(position, 1);
  else if (item.kind === 'assistant') item.markdown += operation.text;
  else if (item.kind === 'thinking') item.text += operation.text;
  else if (item.kind === 'tool') item.output += operation.text;
  else assert.fail(`append to a ${item.kind}`);
}

export function delta(messageId: string, index: number, text: string, block: 'text' | 'thinking' = 'text'): AgentEvent {
  return { type: 'assistant_delta', messageId, index, block, text };
}

export function started(messageId: string): AgentEvent {
  return { type: 'assistant_started', messageId, at: NOW };
}

export function toolCall(callId: string, name = 'read'): ToolCallBlock {
  return { type: 'tool_call', callId, name, input: {} };
}

export function approvalOf(callId: string, id = `approval of ${callId}`): AgentEvent {
  return {
    type: 'approval_requested',
    request: {
      id,
      callId,
      toolName: 'bash',
      title: 'Run: npm test',
      detail: 'npm test',
      detailKind: 'command',
      sessionKey: 'command:npm test',
      sessionLabel: 'npm test',
    },
  };
}

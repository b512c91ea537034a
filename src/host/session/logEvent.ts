// What the Steiner output channel says about a run: enough to follow it, never the conversation's text.
import type { LogOutputChannel } from 'vscode';
import type { AgentEvent } from '../../core/agent/events.ts';
import { formatModelId } from '../../core/conversation/modelId.ts';

/** What one step adds; those before stand in the lines before. */
const LOGGED_HASHES = 4;

export function logEvent(log: LogOutputChannel, event: AgentEvent): void {
  switch (event.type) {
    case 'turn_started':
      log.info(`turn ${event.turn} started`);
      return;
    case 'turn_finished':
      log.info(`turn ${event.turn} ended: ${event.end}`);
      return;
    case 'assistant_message': {
      const { model, stopReason, usage } = event.message;
      const tokens = usage
        ? `, input ${usage.input} (cache read ${usage.cacheRead ?? '?'}), output ${usage.output}`
        : '';
      log.info(`${formatModelId(model)} answered: ${stopReason}${tokens}`);
      return;
    }
    case 'tool_finished':
      log.info(`tool ${event.message.name}: ${event.message.status}`);
      return;
    case 'api_request': {
      const { kind, model, promptBytes, blocksBytes, toolsBytes, messageHashes } = event.snapshot;
      log.debug(
        `${kind} request to ${model.provider}/${model.model}: bytes of messages ${promptBytes}, system ${blocksBytes}, tools ${toolsBytes}; ${messageHashes.length} messages, hashes of the last ones ${messageHashes.slice(-LOGGED_HASHES).join(' ')}`,
      );
      return;
    }
    case 'file_annotation':
      log.info(`read again without a change since turn ${event.previousTurn}: a note was taken in`);
      return;
    case 'retry_waiting':
      log.warn(`attempt ${event.attempt} of ${event.maxAttempts} follows a wait: ${event.reason}`);
      return;
    case 'session_health':
      log.info(`session health: ${event.sessionState} after ${event.compactionCount} stages of compaction`);
      return;
    case 'compaction_finished':
      log.info(
        event.result.applied
          ? `compacted (${event.trigger}): ${event.result.tokensBefore} to ${event.result.tokensAfter} tokens`
          : `not compacted (${event.trigger}): ${event.result.reason}`,
      );
      if (event.result.fallback) {
        const { fallbackStatus, fallbackReason } = event.result.fallback;
        log.info(`fallback model ${fallbackStatus}: ${fallbackReason}`);
      }
      return;
    case 'skill_truncated':
      log.warn(`skill ${event.name}: ${event.size} bytes, cut to ${event.cap}`);
      return;
    case 'skill_state':
      log.info(`skill ${event.name} is ${event.state} in the reopened conversation`);
      return;
    case 'notice':
      log[event.severity === 'warning' ? 'warn' : event.severity](event.message);
      return;
    default:
  }
}

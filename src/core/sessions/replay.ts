// The state of a session, derived from its log.
import type { LastMainRequest } from '../cache/cacheClock.ts';
import type { BackendState } from '../conversation/backendState.ts';
import type { Generation } from '../conversation/generation.ts';
import type { Message } from '../conversation/message.ts';
import { type PendingArchive, pendingArchives } from './history.ts';
import type { SessionRecord, SessionSettings, UsageRecord } from './records.ts';

export interface ReplayedSession {
  generations: Generation[];
  messages: Message[];
  /** Undefined: the session has no settings of its own yet. */
  settings: SessionSettings | undefined;
  usage: UsageRecord[];
  /** The active generation's rent meter (`PolicyState.excessTokens`). */
  excessTokens: number;
  /** Undefined: no main call was answered in full, or none reported its usage. */
  lastMainRequest: LastMainRequest | undefined;
  /** The last one that was not retired; it may not stand any more (`standingBackendState`). */
  backendState: BackendState | undefined;
  /** Empty until the user has said something. */
  title: string;
  /** Number of the last turn; 0: none. */
  lastTurn: number;
  pendingArchives: PendingArchive[];
}

export function replay(records: readonly SessionRecord[]): ReplayedSession {
  const session: ReplayedSession = {
    generations: [],
    messages: [],
    settings: undefined,
    usage: [],
    excessTokens: 0,
    lastMainRequest: undefined,
    backendState: undefined,
    title: '',
    lastTurn: 0,
    pendingArchives: pendingArchives(records),
  };
  for (const record of records) {
    switch (record.type) {
      case 'message':
        session.messages.push(record.message);
        session.lastTurn = Math.max(session.lastTurn, record.message.turn);
        break;
      case 'generation':
        session.generations.push(record.generation);
        session.excessTokens = 0;
        break;
      case 'settings':
        session.settings = record.settings;
        break;
      case 'usage':
        session.usage.push(record.usage);
        session.excessTokens += record.usage.excessTokens ?? 0;
        session.lastMainRequest = mainRequestOf(record.usage) ?? session.lastMainRequest;
        break;
      case 'backend_state':
        session.backendState = record.state;
        break;
      case 'backend_state_retired':
        if (session.backendState?.generation === record.generation) session.backendState = undefined;
        break;
      case 'title':
        session.title = record.title;
        break;
      case 'turn_ended':
        session.lastTurn = Math.max(session.lastTurn, record.turn);
        break;
      default:
    }
  }
  return session;
}

function mainRequestOf({ kind, at, model, cacheKey }: UsageRecord): LastMainRequest | undefined {
  return kind === 'main' && cacheKey !== undefined ? { at, model, cacheKey } : undefined;
}

/**
 * Feeds generations and messages to a lineage in the order in which they were recorded. Returns how many do not fit
 * what came before them (a damaged log: doubled records, a lost first generation); those are passed over.
 */
export function replayConversation(
  records: readonly SessionRecord[],
  lineage: { addGeneration(generation: Generation): void; append(message: Message): void },
): number {
  let passedOver = 0;
  for (const record of records) {
    try {
      if (record.type === 'generation') lineage.addGeneration(record.generation);
      else if (record.type === 'message') lineage.append(record.message);
    } catch {
      passedOver += 1;
    }
  }
  return passedOver;
}

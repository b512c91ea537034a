// Keeps the prompt's fixed part in step with the world without rewriting what was sent: small changes become
// appended notes, changes of model, tools or preamble open a `rebased` generation (design invariant 2).
import type { GenerationHead } from '../conversation/generation.ts';
import type { Mode, NoteSubject, UserMessage, UserPart } from '../conversation/message.ts';
import type { Clock } from '../platform/clock.ts';
import type { IdSource } from '../platform/ids.ts';
import type { AgentEvent } from './events.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { SessionState } from './sessionState.ts';

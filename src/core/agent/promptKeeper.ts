// Keeps the prompt's fixed part in step with the world without rewriting what was sent: small changes become
// appended notes, changes of model, tools or preamble open a `rebased` generation (design invariant 2).
import type { GenerationHead } from '../conversation/generation.ts';
import type { UserMessage, UserPart } from '../conversation/message.ts';
import type { Clock } from '../platform/clock.ts';
import type { IdSource } from '../platform/ids.ts';
import { DEFAULT_BUDGETS } from '../prompt/budget.ts';
import { changeNotes } from '../prompt/changeNotes.ts';
import type { BuiltHead } from '../prompt/head.ts';
import { modeNotice } from '../prompt/modeNotice.ts';
import { effectiveSkills, skillDelta } from '../skills/delivery.ts';
import { directUse } from '../skills/directUse.ts';
import type { AgentEvent } from './events.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { SessionState } from './sessionState.ts';

const BUDGET_ADVICE = 'Name fewer or shorter files, or raise steiner.context.projectFilesMaxBytes.';

export interface PromptSources {
  /** The head as a session that starts now would get it. Files that cannot be used are problems of the result. */
  buildHead(access: ModelAccess): Promise<BuiltHead>;
  /** The whole SKILL.md. Errors: when there is no such skill or it cannot be read. */
  loadSkill(name: string): Promise<string>;
  /** Names of the skills that can be loaded. */
  skillNames(): Promise<readonly string[]>;
  /** UTF-8 bytes of a skill that reach the model. Default: the seed's. */
  skillBytes?(): number;
}

export interface PromptKeeperDeps {
  state: SessionState;
  sources: PromptSources;
  clock: Clock;
  ids: IdSource;
  emit(event: AgentEvent): void;
}

export class PromptKeeper {
  readonly #deps: PromptKeeperDeps;
  /** Problems the user was told about; each is said once in a window. */
  readonly #told = new Set<string>();
  /** What changed since the last user message; goes out with the next one. */
  #notes: UserPart[] = [];

  constructor(deps: PromptKeeperDeps) {
    this.#deps = deps;
  }

  /** At the start of a turn: opens the first or a rebased generation, or collects notes about what changed. */
  async prepare(access: ModelAccess): Promise<void> {
    const { state } = this.#deps;
    const fresh = await this.#deps.sources.buildHead(access);
    const { head } = fresh;
    for (const { path, reason, advice } of fresh.problems) this.#tell(`${path}: ${reason}`, advice);
    for (const { path, size, kept } of fresh.truncated) {
      this.#tell(`${path} was cut for the prompt: ${bytes(kept)} of its ${bytes(size)} bytes are sent.`, BUDGET_ADVICE);
    }
    this.#notes = [];
    if (!state.hasGeneration) {
      await this.#open('start', head, []);
      return;
    }
    const { generation, retained, appended } = state.lineage.view();
    if (needsRebase(generation.head, head)) {
      // The date stays the one of the session's start: later ones were announced in messages that are kept.
      const kept = [...retained, ...appended].map((message) => message.id);
      await this.#open('rebased', withDateOf(generation.head, head), kept);
    }
    this.#notes = changeNotes(state.lineage.active.head, state.deliveredParts, fresh);
  }

  /** One stored user message, its parts in the order of design section 5. */
  async userMessage(texts: readonly string[], turn: number): Promise<UserMessage> {
    const { state, sources, clock, ids } = this.#deps;
    const { mode, enabledSkills } = state.settings;
    const messages = await this.#directUses(texts);
    const cap = sources.skillBytes?.() ?? DEFAULT_BUDGETS.skill;
    const skills = await skillDelta(
      effectiveSkills(state.deliveredParts),
      [...enabledSkills, ...messages.flatMap(({ skill }) => skill ?? [])],
      (name) => sources.loadSkill(name),
      cap,
    );
    for (const { name, reason } of skills.problems) this.#tell(`The skill "${name}" was not sent: ${reason}`);
    for (const { name, size } of skills.truncated) this.#deps.emit({ type: 'skill_truncated', name, size, cap });
    const notes = this.#notes;
    this.#notes = [];
    const words = messages.map(({ text }): UserPart => ({ kind: 'text', text }));
    return {
      id: ids('user'),
      role: 'user',
      at: clock.now(),
      turn,
      parts: [modeNotice(mode), ...skills.parts, ...notes, ...words],
    };
  }

  /** After a reload: tells of each skill that the conversation switched on or off, in order. */
  replaySkills(): void {
    for (const part of this.#deps.state.deliveredParts) {
      if (part.kind !== 'skill_activation' && part.kind !== 'skill_deactivation') continue;
      const state = part.kind === 'skill_activation' ? 'active' : 'inactive';
      this.#deps.emit({ type: 'skill_state', name: part.name, state });
    }
  }

  /** The skills are looked up only for a message that may name one. */
  async #directUses(texts: readonly string[]): Promise<ReturnType<typeof directUse>[]> {
    const names = texts.some((text) => text.trimStart().startsWith('/')) ? await this.#deps.sources.skillNames() : [];
    return texts.map((text) => directUse(text, names));
  }

  async #open(kind: 'start' | 'rebased', head: GenerationHead, retained: string[]): Promise<void> {
    const { state, clock, emit } = this.#deps;
    const parent = state.hasGeneration ? state.lineage.active : undefined;
    const generation = {
      id: state.lineage.nextGenerationId,
      kind,
      at: clock.now(),
      head,
      carried: [...(parent?.carried ?? []).filter((part) => !isSkillPart(part)), ...this.#activeSkills()],
      retained,
      ...(parent ? { parent: parent.id } : {}),
      ...(parent?.summary === undefined ? {} : { summary: parent.summary }),
    };
    await state.addGeneration(generation);
    emit({ type: 'generation', generation });
  }

  /** Skill parts of kept messages do not go out again, so what is in force is replayed in front of them. */
  #activeSkills(): UserPart[] {
    return effectiveSkills(this.#deps.state.deliveredParts).map((skill) => ({ kind: 'skill_activation', ...skill }));
  }

  #tell(message: string, advice?: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#deps.emit({ type: 'notice', severity: 'warning', message, ...(advice ? { advice } : {}) });
  }
}

function bytes(count: number): string {
  return count.toLocaleString('en');
}

function withDateOf(old: GenerationHead, fresh: GenerationHead): GenerationHead {
  const { session_date: date = '' } = old.sourceHashes;
  return { ...fresh, sessionDate: old.sessionDate, sourceHashes: { ...fresh.sourceHashes, session_date: date } };
}

function isSkillPart(part: UserPart): boolean {
  return part.kind === 'skill_activation' || part.kind === 'skill_deactivation';
}

function needsRebase(active: GenerationHead, fresh: GenerationHead): boolean {
  return (
    active.model.provider !== fresh.model.provider ||
    active.model.model !== fresh.model.model ||
    active.sourceHashes.preamble !== fresh.sourceHashes.preamble ||
    JSON.stringify(active.tools) !== JSON.stringify(fresh.tools)
  );
}

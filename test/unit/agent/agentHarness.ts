// The real core on a temporary folder, with the rig as its model. Only the editor is missing.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Approvals } from '../../../src/core/agent/approvals.ts';
import { Compactor } from '../../../src/core/agent/compactor.ts';
import { Driver } from '../../../src/core/agent/driver.ts';
import type { AgentEvent, ApprovalAnswer, ApprovalRequest } from '../../../src/core/agent/events.ts';
import { type FallbackSetting, FallbackTargets } from '../../../src/core/agent/fallbackTargets.ts';
import type { ModelAccess } from '../../../src/core/agent/modelAccess.ts';
import { PromptKeeper } from '../../../src/core/agent/promptKeeper.ts';
import { SessionState } from '../../../src/core/agent/sessionState.ts';
import { textOnDisk } from '../../../src/core/agent/textOnDisk.ts';
import { TurnRunner } from '../../../src/core/agent/turn.ts';
import { Lineage } from '../../../src/core/conversation/lineage.ts';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { takeIn } from '../../../src/core/intake/takeIn.ts';
import type { Clock } from '../../../src/core/platform/clock.ts';
import type { PolicyName } from '../../../src/core/policy/policy.ts';
import { buildHead } from '../../../src/core/prompt/head.ts';
import { sessionDateLine } from '../../../src/core/prompt/sessionDate.ts';
import { StaticContextCache } from '../../../src/core/prompt/staticCache.ts';
import { AnthropicProvider } from '../../../src/core/providers/anthropic/provider.ts';
import { OpenAiChatProvider } from '../../../src/core/providers/openai-chat/provider.ts';
import { SnapshotStore } from '../../../src/core/report/snapshotStore.ts';
import { withoutOwnKeys } from '../../../src/core/security/environment.ts';
import type { OpenSession } from '../../../src/core/sessions/openSession.ts';
import { replay, replayConversation } from '../../../src/core/sessions/replay.ts';
import { SessionStore } from '../../../src/core/sessions/sessionStore.ts';
import { catalogueSource } from '../../../src/core/skills/catalogue.ts';
import { discoverSkills, skillLoader } from '../../../src/core/skills/discovery.ts';
import { Calibration } from '../../../src/core/tokens/calibration.ts';
import { requestTokens } from '../../../src/core/tokens/estimate.ts';
import { modelLimits } from '../../../src/core/tokens/limits.ts';
import { toolDefinitions } from '../../../src/core/tools/definition.ts';
import { NodeFiles } from '../../../src/core/tools/nodeFiles.ts';
import { NodeProcesses } from '../../../src/core/tools/nodeProcesses.ts';
import { allTools, toolsFor } from '../../../src/core/tools/registry.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import type { Rig } from '../../rig/server.ts';
import { rigKey } from '../../rig/settings.ts';

export interface AgentOptions {
  rig: Rig;
  model?: ModelRef;
  /** Tokens; the window the product believes in. Default: its own table. */
  window?: number;
  thinkingBudget?: number;
  /** Default: the product's own. */
  tools?: readonly Tool[];
  /** Default: the rig's clock. */
  clock?: Clock;
  /** Answers questions; default: allow once. Undefined: leaves the question open. */
  approve?(request: ApprovalRequest): ApprovalAnswer | undefined;
  softThreshold?(window: number): number;
  /** Default: `fixed`, which most tests count on. */
  policy?: PolicyName;
  maxModelCalls?: number;
  /** Default true. */
  trusted?: boolean;
  /** Files of the workspace that stand in every prompt, with the bytes they may take together. */
  projectFiles?: { files: string[]; maxBytes: number };
  /** UTF-8 bytes of a skill that reach the model. */
  skillBytes?: number;
  /** Default: true. */
  readAnnotations?: boolean;
  /** A second model for summaries. `window`: tokens. */
  fallback?: FallbackSetting & { window?: number };
  /** Models that are not the rig's; undefined: the rig answers. */
  provider?(ref: ModelRef): Pick<ModelAccess, 'provider' | 'capabilities'> | undefined;
}

export const sonnet: ModelRef = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
export const localModel: ModelRef = { provider: 'openai', model: 'local-model' };

/** A workspace, a home and a storage folder, removed by `remove`. */
export class TestFolders {
  readonly base: string;

  private constructor(base: string) {
    this.base = base;
  }

  static async make(): Promise<TestFolders> {
    return new TestFolders(await mkdtemp(join(tmpdir(), 'steiner-agent-')));
  }

  get workspace(): string {
    return join(this.base, 'workspace');
  }

  get home(): string {
    return join(this.base, 'home');
  }

  get storage(): string {
    return join(this.base, 'storage');
  }

  async write(path: string, text: string): Promise<string> {
    const whole = join(this.workspace, path);
    await writeFile(whole, text);
    return whole;
  }

  async remove(): Promise<void> {
    await rm(this.base, { recursive: true, force: true });
  }
}

export class Agent {
  /** All but `api_request`: those hold whole prompts, so only the last ones are kept, in `snapshots`. */
  readonly events: AgentEvent[] = [];
  /** Called with each event as it happens. */
  onEvent: (event: AgentEvent) => void = () => undefined;
  readonly snapshots = new SnapshotStore();
  readonly driver: Driver;
  readonly state: SessionState;
  readonly stored: OpenSession;
  readonly #folders: TestFolders;
  readonly #options: AgentOptions;
  /** Replaceable while it runs, as settings are. */
  baseUrl: string | undefined;

  private constructor(folders: TestFolders, options: AgentOptions, stored: OpenSession) {
    this.#folders = folders;
    this.#options = options;
    this.stored = stored;
    const { rig } = options;
    const clock = options.clock ?? rig.clock;
    const replayed = replay(stored.records);
    const lineage = new Lineage();
    replayConversation(stored.records, lineage);
    const calibration = new Calibration();
    for (const { model, rawEstimate, usage } of replayed.usage) calibration.observe(model, rawEstimate, usage.input);
    let count = 0;
    const session = stored.records.length;
    const ids = (prefix: string) => `${prefix}_${session}_${++count}`;
    const emit = (event: AgentEvent) => this.#receive(event);
    this.state = new SessionState({
      id: stored.id,
      lineage,
      calibration,
      writer: stored,
      settings: replayed.settings ?? {
        model: options.model ?? sonnet,
        mode: 'build',
        enabledSkills: [],
        approvals: [],
      },
      title: replayed.title,
      lastTurn: replayed.lastTurn,
      lastMainRequest: replayed.lastMainRequest,
      backendState: replayed.backendState,
      excessTokens: replayed.excessTokens,
    });
    const { state } = this;
    const shared = {
      state,
      clock,
      ids,
      emit,
      random: () => 0,
      access: async (ref: ModelRef) => this.#access(ref, ids),
      estimateRaw: requestTokens,
      softThreshold: options.softThreshold ?? ((window: number) => Math.floor(window * 0.7)),
    };
    const tools = options.tools ?? allTools();
    const approvals = new Approvals({
      ids,
      emit,
      isAllowed: (key) => state.settings.approvals.includes(key),
      allow: (key) => state.updateSettings({ approvals: [...state.settings.approvals, key] }),
    });
    const targets = new FallbackTargets({
      access: async (ref) => this.#access(ref, ids),
      capabilities: (ref) =>
        modelLimits(ref.provider, ref.model, { contextWindow: options.fallback?.window ?? 200_000 }),
    });
    const files = new NodeFiles({ roots: () => [folders.workspace], readableRoots: [stored.folder.path] });
    const policy = () => options.policy ?? 'fixed';
    const compactor = new Compactor({
      ...shared,
      policy,
      readText: (text) => textOnDisk(text, files),
      archive: stored.history,
      fallback: (cacheKey) => options.fallback && targets.choose(options.fallback, cacheKey),
    });
    const cache = new StaticContextCache();
    let scope = 0;
    const query = { home: folders.home, roots: [folders.workspace], trusted: true };
    const { projectFiles, skillBytes } = options;
    const projectContext = projectFiles && {
      projectContext: {
        root: folders.workspace,
        extraFiles: projectFiles.files,
        ignoreFiles: [],
        maxBytes: projectFiles.maxBytes,
      },
    };
    const prompt = new PromptKeeper({
      ...shared,
      sources: {
        buildHead: (access) => {
          cache.beginScope(String(++scope));
          return buildHead(
            {
              model: access.ref,
              contextWindow: access.capabilities.contextWindow,
              tools: toolDefinitions(toolsFor(tools, access.capabilities.contextWindow)),
              sessionDate: sessionDateLine(clock.now(), 'UTC'),
              environment: {
                cwd: folders.workspace,
                roots: [folders.workspace],
                os: 'TestOS',
                shell: 'sh',
                gitBranch: undefined,
              },
              skills: catalogueSource(query, access.capabilities.contextWindow),
              agents: { ...query, disabledFiles: [] },
              ...projectContext,
            },
            cache,
          );
        },
        loadSkill: async (name) => skillLoader((await discoverSkills(query)).skills)(name),
        ...(skillBytes === undefined ? {} : { skillBytes: () => skillBytes }),
        skillNames: async () => (await discoverSkills(query)).skills.map(({ name }) => name),
      },
    });
    const turns = new TurnRunner({
      ...shared,
      compactor,
      policy,
      readAnnotations: () => options.readAnnotations ?? true,
      maxModelCalls: () => options.maxModelCalls ?? 200,
      prompt,
      tools: {
        tools,
        context: {
          clock,
          files,
          processes: new NodeProcesses({ env: withoutOwnKeys(process.env) }),
          history: state.lineage,
          ripgrepPath: undefined,
        },
        approvals,
        ids,
        mode: () => state.settings.mode,
        trusted: () => options.trusted ?? true,
        takeIn: (call, outcome, maxBytes) =>
          takeIn(call, outcome, (callId, text) => stored.saveResult(callId, text), maxBytes),
      },
    });
    prompt.replaySkills();
    this.driver = new Driver({ state, turns, compactor, approvals, emit });
  }

  /** A new session. */
  static async start(folders: TestFolders, options: AgentOptions): Promise<Agent> {
    const stored = await storeOf(folders, options).create([folders.workspace]);
    return new Agent(folders, options, stored);
  }

  /** A stored session that nobody has open. */
  static async open(folders: TestFolders, id: string, options: AgentOptions): Promise<Agent> {
    const result = await storeOf(folders, options).open(id);
    if (result.access !== 'write') throw new Error('The session is locked');
    return new Agent(folders, options, result.session);
  }

  /** Closes this one and opens its session again, as a reload of the window does. */
  async reload(changes: Partial<AgentOptions> = {}): Promise<Agent> {
    await this.close();
    return Agent.open(this.#folders, this.stored.id, { ...this.#options, ...changes });
  }

  async close(): Promise<void> {
    await this.driver.dispose();
    await this.stored.close();
  }

  /** Sends and waits for the end of the turn. */
  async turn(text: string): Promise<void> {
    this.driver.send(text);
    await this.idle();
  }

  async compact(focus?: string): Promise<void> {
    this.driver.compact(focus);
    await this.idle();
  }

  async idle(): Promise<void> {
    while (this.driver.busy) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  of<Type extends AgentEvent['type']>(type: Type): Extract<AgentEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
  }

  #receive(event: AgentEvent): void {
    if (event.type === 'api_request') {
      this.snapshots.store(event.snapshot);
      return;
    }
    this.events.push(event);
    this.onEvent(event);
    if (event.type !== 'approval_requested') return;
    const answer = this.#options.approve ? this.#options.approve(event.request) : 'once';
    if (answer) setImmediate(() => this.driver.answerApproval(event.request.id, answer));
  }

  #access(ref: ModelRef, ids: (prefix: string) => string): ModelAccess {
    const { rig, window, thinkingBudget } = this.#options;
    const other = this.#options.provider?.(ref);
    if (other) return { ref, ...other, thinkingBudget: 0 };
    const config = {
      apiKey: rigKey,
      ids,
      baseUrl: this.baseUrl ?? (ref.provider === 'anthropic' ? rig.baseUrlAnthropic : rig.baseUrlOpenAI),
    };
    return {
      ref,
      provider: ref.provider === 'anthropic' ? new AnthropicProvider(config) : new OpenAiChatProvider(config),
      capabilities: modelLimits(ref.provider, ref.model, window ? { contextWindow: window } : undefined),
      thinkingBudget: thinkingBudget ?? 0,
    };
  }
}

function storeOf(folders: TestFolders, { rig, clock }: AgentOptions): SessionStore {
  let count = 0;
  return new SessionStore({
    root: folders.storage,
    clock: clock ?? rig.clock,
    ids: (prefix) => `${prefix}_${Date.now().toString(36)}_${++count}`,
  });
}

// An agent whose main model sits behind a server that owns the transcripts.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { ModelRef } from '../../../src/core/conversation/request.ts';
import { type Rig, startRig } from '../../rig/server.ts';
import { TranscriptServer } from '../../rig/transcriptServer.ts';
import { Agent, type AgentOptions, TestFolders } from './agentHarness.ts';
import { TranscriptProvider } from './transcriptProvider.ts';

export const keeper: ModelRef = { provider: 'openai', model: 'keeps-transcripts' };
/** Tokens. */
export const WINDOW = 100_000;

export class StatefulBench {
  readonly server: TranscriptServer;
  readonly provider: TranscriptProvider;
  /** Answers for all other models, and its clock is the agent's. */
  readonly rig: Rig;
  readonly folders: TestFolders;
  readonly #agents: Agent[] = [];

  private constructor(server: TranscriptServer, rig: Rig, folders: TestFolders) {
    this.server = server;
    this.provider = new TranscriptProvider(server.url, WINDOW);
    this.rig = rig;
    this.folders = folders;
  }

  static async make(): Promise<StatefulBench> {
    const bench = new StatefulBench(await TranscriptServer.start(), await startRig(), await TestFolders.make());
    await mkdir(bench.folders.workspace, { recursive: true });
    await mkdir(bench.folders.home, { recursive: true });
    await bench.folders.write('a.ts', 'export const a = 1;\n');
    return bench;
  }

  async start(options: Partial<AgentOptions> = {}): Promise<Agent> {
    return this.#keep(await Agent.start(this.folders, { ...this.#defaults(), ...options }));
  }

  async reload(agent: Agent, changes: Partial<AgentOptions> = {}): Promise<Agent> {
    return this.#keep(await agent.reload(changes));
  }

  /** Opens the session of a closed agent again. */
  async open(id: string): Promise<Agent> {
    return this.#keep(await Agent.open(this.folders, id, this.#defaults()));
  }

  /** Questions with long answers, so that there is something to compact. */
  async talk(agent: Agent, turns = 5, tokens?: number): Promise<void> {
    for (let turn = 1; turn <= turns; turn++) {
      const text = `answer ${turn}${' filler'.repeat(2_000)}`;
      this.server.script({ text, ...(tokens === undefined ? {} : { tokens }) });
      await agent.turn(`question ${turn}`);
    }
  }

  /** Lets the waits between two attempts pass at once. */
  async idle(agent: Agent): Promise<void> {
    while (agent.driver.busy) {
      if (this.rig.clock.sleeping > 0) this.rig.clock.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** `kind` of each turn from that one on, with `+` if it went on with a transcript, and what became of it if not answered. */
  turnsSince(count: number): string[] {
    return this.server.turns.slice(count).map(({ kind, transcript, outcome }) => {
      const how = `${kind}${transcript ? '+' : ''}`;
      return outcome === 'answered' ? how : `${how} ${outcome}`;
    });
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) await agent.close().catch(() => undefined);
    await this.server.close();
    await this.rig.close();
    await this.folders.remove();
    assert.deepEqual(this.server.violations, []);
  }

  #defaults(): AgentOptions {
    const provider = this.provider;
    return {
      rig: this.rig,
      model: keeper,
      provider: (ref) => (ref.model === keeper.model ? { provider, capabilities: provider.capabilities() } : undefined),
    };
  }

  #keep(agent: Agent): Agent {
    this.#agents.push(agent);
    return agent;
  }
}

// What the prompt is made of in this window: workspace folders, trust, settings, skills. Implements the port that
// the agent's prompt keeper reads from.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { ModelAccess } from '../../core/agent/modelAccess.ts';
import type { PromptSources } from '../../core/agent/promptKeeper.ts';
import { systemClock } from '../../core/platform/clock.ts';
import { budgetsFromSettings } from '../../core/prompt/budget.ts';
import { type EnvironmentFacts, readEnvironment } from '../../core/prompt/environment.ts';
import { type BuiltHead, buildHead, type HeadInput } from '../../core/prompt/head.ts';
import { sessionDateLine } from '../../core/prompt/sessionDate.ts';
import { StaticContextCache } from '../../core/prompt/staticCache.ts';
import { catalogueSource } from '../../core/skills/catalogue.ts';
import { discoverSkills, type SkillDiscovery, type SkillQuery, skillLoader } from '../../core/skills/discovery.ts';
import { toolDefinitions } from '../../core/tools/definition.ts';
import { toolsFor } from '../../core/tools/registry.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { settings } from '../settings.ts';
import { workspaceRoots } from '../workspaceRoots.ts';

export class PromptInputs implements PromptSources {
  readonly #tools: readonly Tool[];
  readonly #cache = new StaticContextCache();
  #heads = 0;
  /** Read once: the environment is frozen, and asking for the git branch at every turn would be for nothing. */
  #environment: Promise<EnvironmentFacts> | undefined;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
  }

  async buildHead(access: ModelAccess): Promise<BuiltHead> {
    const query = skillQuery();
    const { contextWindow } = access.capabilities;
    // Each head is a scope of its own: it is asked for once a turn, and files may have changed since.
    this.#cache.beginScope(String(++this.#heads));
    this.#environment ??= readEnvironment(query.roots);
    const { budgets, problems } = budgetsFromSettings(settings.budgets());
    const built = await buildHead(
      {
        model: access.ref,
        contextWindow,
        tools: toolDefinitions(toolsFor(this.#tools, contextWindow)),
        sessionDate: sessionDateLine(systemClock.now()),
        environment: await this.#environment,
        skills: catalogueSource(query, contextWindow),
        agents: { ...query, disabledFiles: settings.disabledInstructionFiles() },
        ...projectContext(query, budgets.project_context),
      },
      this.#cache,
    );
    return { ...built, problems: [...problems, ...built.problems] };
  }

  async skillNames(): Promise<string[]> {
    return (await this.discoverSkills()).skills.map(({ name }) => name);
  }

  skillBytes(): number {
    return budgetsFromSettings(settings.budgets()).budgets.skill;
  }

  async loadSkill(name: string): Promise<string> {
    const { skills } = await this.discoverSkills();
    return skillLoader(skills)(name);
  }

  discoverSkills(): Promise<SkillDiscovery> {
    return discoverSkills(skillQuery());
  }
}

/** The files are those of the first workspace folder; none of a workspace that is not trusted. */
function projectContext({ roots, trusted }: SkillQuery, maxBytes: number): Pick<HeadInput, 'projectContext'> {
  const [root] = roots;
  const extraFiles = settings.projectFiles();
  if (root === undefined || !trusted || extraFiles.length === 0) return {};
  return { projectContext: { root, extraFiles, ignoreFiles: settings.ignoredProjectFiles(), maxBytes } };
}

function skillQuery(): SkillQuery {
  return {
    home: homedir(),
    roots: workspaceRoots(),
    trusted: vscode.workspace.isTrusted,
  };
}

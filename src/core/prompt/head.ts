// Assembles what stands before the conversation, in a fixed order: the same input gives the same bytes.
import { createHash } from 'node:crypto';
import agentsFileTemplate from '../../../templates/agents-file.md';
import projectContextTemplate from '../../../templates/project-context.md';
import type { GenerationHead } from '../conversation/generation.ts';
import type { ModelRef, SystemBlock, ToolDefinition } from '../conversation/request.ts';
import { fill } from '../platform/templates.ts';
import { wellFormed } from '../platform/text.ts';
import { nodeTextFiles, type TextFiles } from '../platform/textFiles.ts';
import { type AgentsFile, type AgentsFilesQuery, type AgentsFilesResult, loadAgentsFiles } from './agentsFiles.ts';
import { type EnvironmentFacts, renderEnvironment } from './environment.ts';
import { type PreambleInputs, preambleSize, renderPreamble } from './preamble.ts';
import type { PromptProblem } from './problem.ts';
import {
  loadProjectContext,
  type ProjectContextQuery,
  type ProjectContextResult,
  type TruncatedSource,
} from './projectContext.ts';
import { dateOf } from './sessionDate.ts';
import type { StaticContextCache } from './staticCache.ts';

export interface HeadInput {
  model: ModelRef;
  /** Tokens. */
  contextWindow: number;
  tools: readonly ToolDefinition[];
  /** A line of `sessionDateLine`. */
  sessionDate: string;
  preamble?: Omit<PreambleInputs, 'size'>;
  environment: EnvironmentFacts;
  skills: SkillsCatalogueSource;
  agents: AgentsFilesQuery;
  projectContext?: ProjectContextQuery;
}

export interface SkillsCatalogueSource {
  /** All that decides what `load` finds, the files' contents aside. */
  key: readonly unknown[];
  /** The catalogue's text; empty: there are no skills. */
  load(): Promise<string>;
}

export interface BuiltHead {
  head: GenerationHead;
  problems: PromptProblem[];
  truncated: TruncatedSource[];
}

const NO_PROJECT_CONTEXT: ProjectContextResult = { files: [], truncated: [], problems: [] };

/** Errors: those of `input.skills.load`. Files that cannot be used are problems of the result. */
export async function buildHead(
  input: HeadInput,
  cache: StaticContextCache,
  files: TextFiles = nodeTextFiles,
): Promise<BuiltHead> {
  const preamble = { ...input.preamble, size: preambleSize(input.contextWindow) };
  const { agents, projectContext, skills } = input;
  const agentsFiles = await cache.agents.get([agents], () => loadAgentsFiles(agents, files), hasNoProblems);
  const project = projectContext
    ? await cache.project.get([projectContext], () => loadProjectContext(projectContext, files), hasNoProblems)
    : NO_PROJECT_CONTEXT;
  const sources = [
    { source: 'preamble', text: await cache.preamble.get([preamble], async () => renderPreamble(preamble)) },
    { source: 'environment', text: renderEnvironment(input.environment) },
    { source: 'skills_catalogue', text: await cache.skills.get(skills.key, () => skills.load()) },
    ...agentsFiles.files.map(agentsBlock),
    ...project.files.map(({ path, text }) => ({
      source: 'project_context',
      path,
      text: fill(projectContextTemplate, { path, text }),
      ...(project.truncated.some((each) => each.path === path) ? { truncated: true as const } : {}),
    })),
  ];
  const system: SystemBlock[] = sources
    .filter(({ text }) => text !== '')
    .map((block) => ({ ...block, text: wellFormed(block.text) }));
  return {
    head: {
      model: input.model,
      system,
      tools: input.tools.toSorted(byName),
      sessionDate: input.sessionDate,
      sourceHashes: {
        ...Object.fromEntries(system.map((block) => [sourceKey(block), sourceHash(block.text)])),
        session_date: sourceHash(dateOf(input.sessionDate)),
      },
    },
    problems: [...agentsFiles.problems, ...project.problems],
    truncated: project.truncated,
  };
}

/** What `sourceHashes` calls a block. Files go by their path: there may be several of one source. */
export function sourceKey({ source, path }: Pick<SystemBlock, 'source' | 'path'>): string {
  return path === undefined ? source : `${source}:${path}`;
}

function agentsBlock({ source, path, text }: AgentsFile): SystemBlock {
  return { source, path, text: fill(agentsFileTemplate, { path, text }) };
}

/** What could not be read is tried again by the next head. */
function hasNoProblems({ problems }: AgentsFilesResult | ProjectContextResult): boolean {
  return problems.length === 0;
}

function sourceHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** By code units, not by locale: the order is part of the bytes (case A14). */
function byName(a: ToolDefinition, b: ToolDefinition): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

// Typed access to the extension's settings. What names programs, URLs or approvals has machine scope in
// package.json, so a workspace can never set it (case A28).
import * as vscode from 'vscode';
import type { FallbackSetting } from '../core/agent/fallbackTargets.ts';
import { formatModelId, parseModelId } from '../core/conversation/modelId.ts';
import type { ModelRef, ProviderId } from '../core/conversation/request.ts';
import { POLICY_NAMES } from '../core/policy/policies.ts';
import type { PolicyName } from '../core/policy/policy.ts';
import type { BudgetSetting } from '../core/prompt/budget.ts';

export interface ModelOverride {
  contextWindow?: number;
  maxOutputTokens?: number;
}

export const settings = {
  model(): ModelRef {
    return parseModelId(read<string>('model')) ?? { provider: 'offline', model: 'offline' };
  },
  async setModel(ref: ModelRef): Promise<void> {
    await section().update('model', formatModelId(ref), vscode.ConfigurationTarget.Global);
  },
  baseUrl(provider: ProviderId): string | undefined {
    if (provider === 'offline') return undefined;
    const configured = read<string>(`${provider}.baseUrl`).trim();
    const fallback = process.env[provider === 'anthropic' ? 'ANTHROPIC_BASE_URL' : 'OPENAI_BASE_URL']?.trim();
    return configured || fallback || undefined;
  },
  modelOverrides(): Record<string, ModelOverride> {
    return read<Record<string, ModelOverride>>('models');
  },
  thinkingBudget: () => read<number>('thinkingBudget'),
  compactionThresholdTokens: () => read<number>('context.compactionThresholdTokens'),
  /** An unknown name counts as the default. */
  policy(): PolicyName {
    return POLICY_NAMES.find((name) => name === read<string>('context.policy')) ?? 'balanced';
  },
  readAnnotations: () => read<boolean>('context.readAnnotations'),
  compactionFallback(): FallbackSetting {
    return {
      model: read<string>('compaction.fallback.model'),
      idleMinutes: read<number>('compaction.fallback.idleMinutes'),
    };
  },
  maxModelCalls: () => read<number>('agent.maxModelCalls'),
  disabledInstructionFiles: () => read<string[]>('instructions.disabledFiles'),
  projectFiles: () => read<string[]>('context.projectFiles'),
  ignoredProjectFiles: () => read<string[]>('context.projectFilesIgnored'),
  /** As the user wrote them: `budgetsFromSettings` checks them. */
  budgets: () => ({
    project_context: budget('context.projectFilesMaxBytes'),
    skill: budget('skills.maxBytes'),
  }),
  skillsEnabledByDefault: () => read<string[]>('skills.enabledByDefault'),
};

function budget(key: string): BudgetSetting {
  return { key: `steiner.${key}`, bytes: read<number>(key) };
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('steiner');
}

/** Every key has a default in package.json, so a value is always there. */
function read<Value>(key: string): Value {
  return section().get<Value>(key) as Value;
}

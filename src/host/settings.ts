// Typed access to the extension's settings. What names programs, URLs or approvals has machine scope in
// package.json, so a workspace can never set it (case A28).
import * as vscode from 'vscode';
import type { ModelRef, ProviderId } from '../core/conversation/request.ts';

export interface ModelOverride {
  contextWindow?: number;
  maxOutputTokens?: number;
}

const PROVIDER_IDS: readonly ProviderId[] = ['anthropic', 'openai', 'offline'];

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
  readAnnotations: () => read<boolean>('context.readAnnotations'),
  /** `id` as the user wrote it, which may name no model. Undefined: none is set. */
  compactionFallback(): { id: string; idleMinutes: number } | undefined {
    const id = read<string>('compaction.fallback.model').trim();
    return id === '' ? undefined : { id, idleMinutes: read<number>('compaction.fallback.idleMinutes') };
  },
  maxModelCalls: () => read<number>('agent.maxModelCalls'),
  disabledInstructionFiles: () => read<string[]>('instructions.disabledFiles'),
  skillsEnabledByDefault: () => read<string[]>('skills.enabledByDefault'),
};

/** `provider/model`; the model's own id may hold further slashes. Undefined: no such provider, or no model. */
export function parseModelId(id: string): ModelRef | undefined {
  const slash = id.indexOf('/');
  const provider = PROVIDER_IDS.find((each) => each === id.slice(0, slash));
  const model = id.slice(slash + 1).trim();
  return provider && model ? { provider, model } : undefined;
}

export function formatModelId(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('steiner');
}

/** Every key has a default in package.json, so a value is always there. */
function read<Value>(key: string): Value {
  return section().get<Value>(key) as Value;
}

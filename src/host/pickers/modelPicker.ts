// The quick pick of models.
import * as vscode from 'vscode';
import { isSameModel, parseModelId } from '../../core/conversation/modelId.ts';
import type { ModelRef } from '../../core/conversation/request.ts';
import type { ModelChoice } from '../models.ts';

/** Undefined: the user gave up. A name that no list holds can be typed. */
export async function pickModel(choices: readonly ModelChoice[], current: ModelRef): Promise<ModelRef | undefined> {
  const other = '$(edit) Other model…';
  const items = [
    ...choices.map((choice) => ({
      label: choice.label,
      description: isSameModel(choice.ref, current) ? 'current' : '',
      detail: choice.detail,
      ref: choice.ref,
    })),
    { label: other, description: '', detail: 'Type provider/model, for example openai/qwen3-coder', ref: undefined },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Select Model',
    placeHolder: 'The model counts from your next message on.',
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  return picked.ref ?? (await askForModel());
}

async function askForModel(): Promise<ModelRef | undefined> {
  const typed = await vscode.window.showInputBox({
    title: 'Select Model',
    prompt: 'provider/model, where provider is anthropic, openai (any compatible server) or offline',
    placeHolder: 'openai/qwen3-coder',
    validateInput: (text) =>
      text.trim() === '' || parseModelId(text.trim())
        ? undefined
        : 'Write it as anthropic/…, openai/… or offline/offline.',
  });
  return typed ? parseModelId(typed.trim()) : undefined;
}

// API keys live in SecretStorage; VS Code's own environment is a read-only fallback.
import * as vscode from 'vscode';
import type { ProviderId } from '../core/conversation/request.ts';

export type KeyedProvider = Exclude<ProviderId, 'offline'>;

const KEYED: Record<KeyedProvider, { label: string; variable: string; example: string }> = {
  anthropic: { label: 'Anthropic', variable: 'ANTHROPIC_API_KEY', example: 'sk-ant-…' },
  openai: { label: 'OpenAI or compatible', variable: 'OPENAI_API_KEY', example: 'sk-…' },
};

export class ApiKeys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async get(provider: ProviderId): Promise<string | undefined> {
    if (provider === 'offline') return undefined;
    const stored = await this.#secrets.get(storageKey(provider));
    return stored || process.env[KEYED[provider].variable]?.trim() || undefined;
  }

  /** Asks for the key, first for whose it is; an empty key removes the stored one. Undefined: the user gave up. */
  async askAndStore(known?: ProviderId): Promise<KeyedProvider | undefined> {
    const provider = known && known !== 'offline' ? known : await this.#pickProvider();
    if (!provider) return undefined;
    const { label, variable, example } = KEYED[provider];
    const key = await vscode.window.showInputBox({
      title: `API key for ${label}`,
      prompt: `Kept in VS Code's secret storage. Leave it empty to remove the stored key and use ${variable} instead.`,
      placeHolder: example,
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return undefined;
    if (key.trim() === '') await this.#secrets.delete(storageKey(provider));
    else await this.#secrets.store(storageKey(provider), key.trim());
    return provider;
  }

  async #pickProvider(): Promise<KeyedProvider | undefined> {
    const providers: KeyedProvider[] = ['anthropic', 'openai'];
    const items = await Promise.all(
      providers.map(async (provider) => ({
        label: KEYED[provider].label,
        description: await this.#origin(provider),
        provider,
      })),
    );
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Set API Key',
      placeHolder: 'For which provider?',
    });
    return picked?.provider;
  }

  async #origin(provider: KeyedProvider): Promise<string> {
    if (await this.#secrets.get(storageKey(provider))) return 'a key is stored';
    return process.env[KEYED[provider].variable] ? `key from ${KEYED[provider].variable}` : 'no key yet';
  }
}

function storageKey(provider: KeyedProvider): string {
  return `steiner.${provider}.apiKey`;
}

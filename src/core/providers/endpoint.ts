// Where requests go, and how that place is named in messages.
import { ProviderError } from './provider.ts';

export interface Endpoint {
  /** Shown to the user, e.g. `Anthropic`. */
  label: string;
  /** What requests are sent to: no trailing slash, no user info, no query. */
  baseUrl: string;
  /** The vendor's own API, as opposed to a gateway or a compatible server. */
  official: boolean;
  apiKey: string | undefined;
  /** The environment variable that may hold the key. */
  keyVariable: string;
  /** The setting that holds the address. */
  setting: string;
}

/**
 * Errors: ProviderError `bad_request` for an address that is not an http(s) URL, `auth` for a key that cannot stand
 * in a header.
 */
export function resolveEndpoint(
  wire: Pick<Endpoint, 'label' | 'keyVariable' | 'setting'> & { defaultUrl: string; officialHost: string },
  config: { apiKey: string | undefined; baseUrl: string | undefined },
): Endpoint {
  const asked = config.baseUrl?.trim() || wire.defaultUrl;
  const url = parseHttpUrl(asked);
  if (!url) {
    throw new ProviderError('bad_request', `The base URL for ${wire.label} is not an http or https address.`, {
      advice: `Correct ${wire.setting} in the settings.`,
    });
  }
  const apiKey = config.apiKey?.trim() || undefined;
  // fetch would refuse the header, and quote the key in its error.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ProviderError('auth', `The API key for ${wire.label} holds characters that a key cannot have.`, {
      advice: `Copy the key again and set it with “Steiner: Set API Key” (or in ${wire.keyVariable}).`,
    });
  }
  return {
    label: wire.label,
    // Without user info: fetch refuses it, and messages would show it.
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    official: url.hostname === wire.officialHost || url.hostname.endsWith(`.${wire.officialHost}`),
    apiKey,
    keyVariable: wire.keyVariable,
    setting: wire.setting,
  };
}

export function missingKey(endpoint: Endpoint): ProviderError {
  return new ProviderError('no_key', `There is no API key for ${endpoint.label}.`, {
    advice: `Run the command “Steiner: Set API Key”, or start VS Code with ${endpoint.keyVariable} set.`,
  });
}

function parseHttpUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

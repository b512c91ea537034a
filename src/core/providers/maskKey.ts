const MASK = '[key]';
const SHORTEST_PLAIN_MATCH = 8;
/** A token holds a digit; the word after `bearer` in a sentence does not. */
const BEARER_TOKEN = /\b(bearer\s+|x-api-key["']?\s*[:=]\s*["']?)(?=[^\s"',;]*\d)[^\s"',;]{8,}/gi;

/**
 * Takes the API key, and any other bearer token, out of a text that came from outside (case A27: servers and
 * proxies echo the Authorization header in their errors).
 */
export function maskKey(text: string, apiKey: string | undefined): string {
  const masked = apiKey ? text.replaceAll(keyPattern(apiKey), MASK) : text;
  return masked.replaceAll(BEARER_TOKEN, `$1${MASK}`);
}

/** A very short key (`x`, `ollama`) is masked as a word only: it may be a part of any text. */
function keyPattern(apiKey: string): RegExp {
  const forms = [apiKey, encodeURIComponent(apiKey)].map(escapeForPattern);
  const anyForm = `(?:${forms.join('|')})`;
  return new RegExp(apiKey.length < SHORTEST_PLAIN_MATCH ? `(?<![\\w-])${anyForm}(?![\\w-])` : anyForm, 'g');
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

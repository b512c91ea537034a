// Files that usually hold credentials. The user is asked before one is read (case A27).
import { basename } from 'node:path';

const NAMES = [
  /^\.env([.-].+)?$/,
  /\.(env|tfvars)$/,
  /^[._](envrc|netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  // Source code with this name is not meant.
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|env|csv|xml|txt|properties))?$/,
  /\.(pem|key|p12|pfx|ppk|keystore|jks|kdbx)$/,
];

/** Examples of how such a file looks, checked in on purpose. */
const HARMLESS = /\.(example|sample|template|dist)$/;

export function looksSecret(path: string): boolean {
  const name = basename(path).toLowerCase();
  return !HARMLESS.test(name) && NAMES.some((pattern) => pattern.test(name));
}

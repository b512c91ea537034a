import assert from 'node:assert/strict';
import { withoutOwnKeys } from '../../../src/core/security/environment.ts';
import { looksSecret } from '../../../src/core/security/secretFiles.ts';
import { NodeProcesses } from '../../../src/core/tools/nodeProcesses.ts';

describe('secrets', () => {
  it('A27: names of files that usually hold credentials', () => {
    const secret = [
      '.env',
      '.env.local',
      '.ENV',
      '.env-staging',
      'prod.env',
      'live.tfvars',
      '_netrc',
      '.envrc',
      '.npmrc',
      '.git-credentials',
      'id_rsa',
      'id_ed25519_sk',
      'server.pem',
      'tls.key',
      'store.p12',
      'credentials',
      'credentials.json',
      'secrets.yaml',
    ];
    for (const name of secret) assert.equal(looksSecret(`/w/pkg/${name}`), true, name);
  });

  it('A27: examples, public keys and source code are not meant', () => {
    const open = [
      '.env.example',
      '.env.sample',
      'id_rsa.pub',
      'credentials.ts',
      'secrets.py',
      'env.ts',
      'env.d.ts',
      'environment.ts',
      'prod.env.example',
      'keyboard.ts',
      'a.pem.md',
      'package.json',
    ];
    for (const name of open) assert.equal(looksSecret(`/w/secrets/${name}`), false, name);
  });

  it('A27: commands do not get the keys of this extension, and get everything else', async () => {
    const env = withoutOwnKeys({
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'k1',
      OPENAI_API_KEY: 'k2',
      ANTHROPIC_AUTH_TOKEN: 'k3',
      ANTHROPIC_CUSTOM_HEADERS: 'x-api-key: k4',
      OPENAI_WEBHOOK_SECRET: 'k5',
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      MY_API_KEY: 'theirs',
      EMPTY: undefined,
    });
    const options = { cwd: '/', timeoutMs: 5_000, signal: new AbortController().signal, onOutput: () => undefined };
    const { output } = await new NodeProcesses({ env }).shell('env', options);
    for (const key of ['k1', 'k2', 'k3', 'k4', 'k5']) assert.ok(!output.includes(key), key);
    assert.match(output, /^OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:1\/v1$/m);
    assert.match(output, /^MY_API_KEY=theirs$/m);
    assert.ok(!('EMPTY' in env));
  });
});

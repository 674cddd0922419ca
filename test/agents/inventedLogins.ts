import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestedKind } from './testedKinds.ts';

/** Makes a profile with an invented login that talks to `url` and nobody else; returns the token it sends. */
export function inventLogin(kind: TestedKind, folder: string, account: string, url: string): string {
  writeSettings(kind, folder, url);
  const login = { claude: claudeLogin, codex: codexLogin, pi: piLogin }[kind];
  return login(folder, account);
}

/** Makes a profile in which nobody has logged in. */
export function inventLoggedOut(kind: TestedKind, folder: string, url: string): void {
  writeSettings(kind, folder, url);
}

function writeSettings(kind: TestedKind, folder: string, url: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  ({ claude: claudeSettings, codex: codexSettings, pi: piSettings })[kind](folder, url);
}

function claudeSettings(folder: string, url: string): void {
  const env = { ANTHROPIC_BASE_URL: url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
  writeJson(folder, 'settings.json', { env: { ...env, CLAUDE_CODE_MAX_RETRIES: '0' } });
}

function piSettings(folder: string, url: string): void {
  writeJson(folder, 'models.json', { providers: { anthropic: { baseUrl: url } } });
  writeJson(folder, 'settings.json', {
    defaultProvider: 'anthropic',
    defaultModel: 'claude-opus-4-5',
    retry: { maxRetries: 1, baseDelayMs: 10 },
  });
}

function claudeLogin(folder: string, account: string): string {
  const token = `sk-ant-oat01-${account}`;
  writeJson(folder, '.credentials.json', {
    claudeAiOauth: {
      accessToken: token,
      refreshToken: `sk-ant-ort01-${account}`,
      expiresAt: Date.now() + 36_000_000,
      scopes: ['user:inference', 'user:profile'],
      subscriptionType: 'max',
      rateLimitTier: 'default_claude_max_5x',
    },
  });
  writeJson(folder, '.claude.json', {
    hasCompletedOnboarding: true,
    oauthAccount: {
      accountUuid: account,
      organizationUuid: 'test',
      emailAddress: `${account}@example.invalid`,
    },
    // The CLI answers from what it read less than a minute ago; only the real host could tell it more.
    cachedUsageUtilization: {
      fetchedAtMs: Date.now(),
      accountUuid: account,
      utilization: { five_hour: usedWindow(42), seven_day: usedWindow(17) },
    },
  });
  return token;
}

function usedWindow(utilization: number) {
  return { utilization, resets_at: new Date(Date.now() + 7_200_000).toISOString() };
}

function codexLogin(folder: string, account: string): string {
  const claims = { chatgpt_plan_type: 'plus', chatgpt_account_id: account };
  const token = unsignedToken({ sub: account, exp: Math.floor(Date.now() / 1000) + 36_000 });
  const id = unsignedToken({ email: `${account}@example.invalid`, 'https://api.openai.com/auth': claims });
  writeJson(folder, 'auth.json', {
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    tokens: { id_token: id, access_token: token, refresh_token: `refresh-${account}`, account_id: account },
    last_refresh: new Date().toISOString(),
  });
  return token;
}

function piLogin(folder: string, account: string): string {
  const key = `test-key-${account}`;
  writeJson(folder, 'auth.json', { anthropic: { type: 'api_key', key } });
  return key;
}

function codexSettings(folder: string, url: string): void {
  const config = `model = "gpt-5.5"
model_provider = "test"
chatgpt_base_url = "${url}/backend-api"
cli_auth_credentials_store = "file"
[analytics]
enabled = false
[features]
plugins = false
[model_providers.test]
name = "test"
base_url = "${url}/backend-api/codex"
wire_api = "responses"
requires_openai_auth = true
request_max_retries = 0
stream_max_retries = 0
`;
  writeFileSync(join(folder, 'config.toml'), config);
}

function unsignedToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part({ alg: 'none' }), part(claims), 'unsigned'].join('.');
}

function writeJson(folder: string, name: string, value: object): void {
  writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 });
}

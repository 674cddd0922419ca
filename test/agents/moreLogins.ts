import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type MoreKind = 'gemini' | 'opencode';

/** Makes a profile with an invented key that talks to `url` and nobody else; returns the key. */
export function inventMoreLogin(kind: MoreKind, folder: string, account: string, url: string): string {
  const key = `test-key-${account}`;
  if (kind === 'gemini') {
    const auth = { selectedType: 'gemini-api-key' };
    writeJson(join(folder, '.gemini', 'settings.json'), {
      security: { auth },
      // Else it asks another model first which one to take.
      model: { name: 'gemini-2.5-pro' },
    });
    const variables = `GEMINI_API_KEY=${key}\nGOOGLE_GEMINI_BASE_URL=${url}\n`;
    writeFileSync(join(folder, '.gemini', '.env'), variables, { mode: 0o600 });
    // This is the one that it reads where it does not trust a folder, and of it only keys.
    writeFileSync(join(folder, '.env'), variables, { mode: 0o600 });
  } else {
    writeJson(join(folder, 'config', 'opencode', 'opencode.json'), {
      model: 'anthropic/claude-opus-4-5',
      provider: { anthropic: { options: { baseURL: `${url}/v1` } } },
    });
    writeJson(join(folder, 'data', 'opencode', 'auth.json'), { anthropic: { type: 'api', key } });
  }
  return key;
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
}

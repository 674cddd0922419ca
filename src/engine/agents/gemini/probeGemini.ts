import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../core/agentKitError.ts';
import { askCli } from '../../process/askCli.ts';
import type { Probe, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { quoteForShell } from '../quoteForShell.ts';
import { geminiFolder } from './trustGeminiFolder.ts';

/** What is wrong where there is none, and the cure. */
export const geminiMissing =
  'Gemini CLI is not installed: there is no program "gemini" on PATH; install it with: npm install -g @google/gemini-cli';

const accountsSchema = z.object({ active: z.string() });

/**
 * Asks Gemini for its version, and looks which login its files have; of a key only its name. Contacts nobody and never
 * rejects.
 */
export async function probeGemini(
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  home: Record<string, string>,
): Promise<Probe> {
  const command = findExecutable('gemini', inherited);
  if (command === null) {
    return { version: null, login: 'unknown', problem: geminiMissing };
  }
  try {
    const { lines } = await askCli({ argv: [command, '--version'], inherited, env: home });
    const version = /^\d+\.\d+\.\d+\S*/m.exec(lines.join('\n'))?.[0] ?? null;
    if (version === null) {
      return { version, login: 'unknown', problem: `${command} tells no version as Gemini CLI does` };
    }
    return { version, ...(await readLogin(geminiFolder(profile, inherited), home)) };
  } catch (error) {
    return { version: null, login: 'unknown', problem: `Gemini CLI cannot be started: ${messageOf(error)}` };
  }
}

async function readLogin(folder: string, home: Record<string, string>): Promise<Omit<Probe, 'version'>> {
  const settings = await readText(join(folder, 'settings.json'));
  const variables = Object.entries(home).map(([name, value]) => `${name}=${quoteForShell(value)} `);
  const cure = `log in on Gemini's own screen: ${variables.join('')}gemini`;
  // The file may have comments.
  const selected = /"selectedType"\s*:\s*"([\w-]+)"/.exec(settings)?.[1];
  const hasKey =
    existsSync(join(folder, 'gemini-credentials.json')) ||
    (await namesKey(join(folder, '.env'))) ||
    (await namesKey(join(dirname(folder), '.env')));
  switch (selected ?? (hasKey ? 'gemini-api-key' : undefined)) {
    case 'oauth-personal':
      return existsSync(join(folder, 'oauth_creds.json'))
        ? { login: 'ok', ...(await readIdentity(folder)) }
        : { login: 'not_logged_in', problem: `Not logged in with Google; ${cure}` };
    case 'gemini-api-key':
      return hasKey
        ? { login: 'ok' }
        : {
            login: 'not_logged_in',
            problem: `There is no key for the Gemini API; put GEMINI_API_KEY into ${join(folder, '.env')}, or ${cure}`,
          };
    case undefined:
      return { login: 'not_logged_in', problem: `Not logged in; ${cure}` };
    default:
      return {
        login: 'unknown',
        problem: `Its files do not tell whether the login "${selected}" works; ${cure}`,
      };
  }
}

async function readIdentity(folder: string): Promise<Pick<Probe, 'identity'>> {
  try {
    const { active } = accountsSchema.parse(JSON.parse(await readText(join(folder, 'google_accounts.json'))));
    return { identity: active };
  } catch {
    return {};
  }
}

async function namesKey(file: string): Promise<boolean> {
  return /^\s*(?:export\s+)?GEMINI_API_KEY\s*=\s*\S/m.test(await readText(file));
}

/** Empty when it cannot be read. */
function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

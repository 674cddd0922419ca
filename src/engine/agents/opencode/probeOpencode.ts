import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { messageOf } from '../../../core/agentKitError.ts';
import { askCli } from '../../process/askCli.ts';
import type { Probe, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { quoteForShell } from '../quoteForShell.ts';
import { opencodeLogins } from './opencodeHome.ts';

/** What is wrong where there is none, and the cure. */
export const opencodeMissing =
  'OpenCode is not installed: there is no program "opencode" on PATH; install it with: npm install -g opencode-ai';

const loginsSchema = z.record(z.string(), z.unknown());

/**
 * Asks OpenCode for its version, and looks whether its file of logins has one of any provider. Whether that login works
 * only its vendor knows. Contacts nobody and never rejects.
 */
export async function probeOpencode(
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  home: Record<string, string>,
): Promise<Probe> {
  const command = findExecutable('opencode', inherited);
  if (command === null) {
    return { version: null, login: 'unknown', problem: opencodeMissing };
  }
  try {
    const { lines } = await askCli({ argv: [command, '--version'], inherited, env: home });
    const version = /^\d+\.\d+\.\d+\S*/m.exec(lines.join('\n'))?.[0] ?? null;
    if (version === null) {
      return { version, login: 'unknown', problem: `${command} tells no version as OpenCode does` };
    }
    return { version, ...(await readLogin(opencodeLogins(profile, inherited), home)) };
  } catch (error) {
    return { version: null, login: 'unknown', problem: `OpenCode cannot be started: ${messageOf(error)}` };
  }
}

async function readLogin(file: string, home: Record<string, string>): Promise<Omit<Probe, 'version'>> {
  const variables = Object.entries(home).map(([name, value]) => `${name}=${quoteForShell(value)} `);
  const cure = `log in with: ${variables.join('')}opencode auth login`;
  const providers = await readProviders(file);
  if (providers === null) {
    return { login: 'unknown', problem: `${file} is not as OpenCode writes it; ${cure}` };
  }
  return providers.length > 0
    ? { login: 'ok' }
    : { login: 'not_logged_in', problem: `Not logged in to any provider; ${cure}` };
}

/** Names of the providers that have a login; null when the file is not understood. */
async function readProviders(file: string): Promise<string[] | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return Object.keys(loginsSchema.parse(JSON.parse(text)));
  } catch {
    return null;
  }
}

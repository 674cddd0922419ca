import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../core/agentKitError.ts';
import { askCli } from '../../process/askCli.ts';
import type { Probe, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { quoteForShell } from '../quoteForShell.ts';

/** What is wrong where there is none, and the cure. */
export const piMissing =
  'Pi is not installed: there is no program "pi" on PATH; install it with: npm install -g @earendil-works/pi-coding-agent';

const settingsSchema = z.object({ defaultProvider: z.string().regex(/^[A-Za-z0-9][\w.-]*$/) });
const checkSchema = z.object({ status: z.string() });

/**
 * Asks Pi for its version and whether its provider has a login. Pi serves many providers and checks one at a time:
 * the one that its settings name. Contacts nobody and never rejects.
 */
export async function probePi(
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  home: Record<string, string>,
): Promise<Probe> {
  const command = findExecutable('pi', inherited);
  if (command === null) {
    return { version: null, login: 'unknown', problem: piMissing };
  }
  const ask = (...args: string[]) =>
    askCli({ argv: [command, ...args], inherited, env: { ...home, PI_OFFLINE: '1' } });
  try {
    const told = await ask('--version');
    // Older versions say it on the error stream.
    const version = /^\d+\.\d+\.\d+\S*/m.exec([...told.lines, told.error].join('\n'))?.[0] ?? null;
    if (version === null) {
      return { version, login: 'unknown', problem: `${command} tells no version as Pi does` };
    }
    const folder = profile.folder ?? join(inherited['HOME'] ?? homedir(), '.pi', 'agent');
    const settings = join(folder, 'settings.json');
    const provider = await readProvider(settings);
    if (provider === undefined) {
      const problem = `Which provider it uses is not set: add "defaultProvider" to ${settings}`;
      return { version, login: 'unknown', problem };
    }
    // Else it would refresh a login that has expired.
    const check = await ask('auth', 'check', '--provider', provider, '--json', '--no-refresh');
    return { version, ...readCheck(check.lines.join('\n'), provider, home) };
  } catch (error) {
    return { version: null, login: 'unknown', problem: `Pi cannot be started: ${messageOf(error)}` };
  }
}

function readCheck(text: string, provider: string, home: Record<string, string>): Omit<Probe, 'version'> {
  const status = readJson(text, checkSchema)?.status;
  if (status === 'ready') {
    return { login: 'ok' };
  }
  const variables = Object.entries(home).map(([name, value]) => `${name}=${quoteForShell(value)} `);
  const cure = `log in with: ${variables.join('')}pi auth login ${provider}`;
  return status === 'not_ready'
    ? { login: 'not_logged_in', problem: `Not logged in to ${provider}; ${cure}` }
    : { login: 'unknown', problem: `Pi does not say whether it is logged in to ${provider}; ${cure}` };
}

async function readProvider(file: string): Promise<string | undefined> {
  return readJson(await readFile(file, 'utf8').catch(() => ''), settingsSchema)?.defaultProvider;
}

function readJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

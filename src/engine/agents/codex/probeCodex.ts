import { existsSync } from 'node:fs';
import { messageOf } from '../../../core/agentKitError.ts';
import { askCli } from '../../process/askCli.ts';
import type { Probe, Profile } from '../agentKind.ts';
import { loginSettings } from './codexArguments.ts';
import { codexLogin } from './codexLogin.ts';
import { codexMissing, findCodex } from './findCodex.ts';
import { sandboxProblem } from './sandboxProblem.ts';

const late = { login: 'unknown', problem: 'Codex did not answer in time; try again', late: true } as const;

/** Asks Codex who it is and whether it has a login; both are answered from its own files. Never rejects. */
export async function probeCodex(
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  env: Record<string, string>,
): Promise<Probe> {
  const command = findCodex(inherited);
  if (command === null) {
    return { version: null, login: 'unknown', problem: codexMissing };
  }
  try {
    // Without the profile: a home that does not exist would keep it from answering.
    const told = await askCli({ argv: [command, '--version'], inherited, env: {} });
    if (told.timedOut) return { version: null, ...late };
    const version = /^codex\S* (\d+\.\d+\.\d+\S*)/m.exec(told.lines.join('\n'))?.[1] ?? null;
    if (version === null) {
      return { version, login: 'unknown', problem: `${command} tells no version as Codex does` };
    }
    return { version, ...(await probeLogin(command, profile, inherited, env)) };
  } catch (error) {
    return { version: null, login: 'unknown', problem: `Codex cannot be started: ${messageOf(error)}` };
  }
}

async function probeLogin(
  command: string,
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  env: Record<string, string>,
): Promise<Omit<Probe, 'version'>> {
  if (profile.folder !== null && !existsSync(profile.folder)) {
    const problem = `${profile.folder} does not exist; make it with: ak profiles add codex ${profile.name}`;
    return { login: 'not_logged_in', problem };
  }
  const argv = [command, 'login', 'status', ...loginSettings(profile)];
  const status = await askCli({ argv, inherited, env });
  if (status.timedOut) return late;
  if (status.exit === 0) {
    const problem = await sandboxProblem(command, profile, inherited, env);
    return { login: 'ok', ...(problem !== undefined && { problem, blocked: true }) };
  }
  if ([status.error, ...status.lines].some((line) => /^Not logged in\b/.test(line))) {
    return { login: 'not_logged_in', problem: `Not logged in; log in with: ${codexLogin(profile)}` };
  }
  return { login: 'unknown', problem: `codex login status failed: ${status.error.slice(0, 300)}` };
}

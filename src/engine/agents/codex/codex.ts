import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentKitError } from '../../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agentKind.ts';
import { carrySession } from '../carrySession.ts';
import { codexArguments, loginSettings } from './codexArguments.ts';
import { codexScreen } from './codexScreen.ts';
import { codexSessions } from './codexSessions.ts';
import { parseCodexLine } from './codexStream.ts';
import { codexUsageBefore } from './codexUsageBefore.ts';
import { codexMissing, findCodex } from './findCodex.ts';
import { probeCodex } from './probeCodex.ts';
import { readCodexRollout } from './readCodexRollout.ts';
import { readCodexUsage } from './readCodexUsage.ts';
import { trustCodexFolder } from './trustCodexFolder.ts';

/** Logins stay in the profile's folder; a keyring would hold one for all of them. */
const starterConfig = 'cli_auth_credentials_store = "file"\n';

/** OpenAI's Codex CLI, measured with 0.171.0 (design chapter 5). */
export function createCodexKind({
  environment,
}: {
  environment: Readonly<Record<string, string | undefined>>;
}): AgentKind {
  const sessions = codexSessions(environment);
  return {
    id: 'codex',
    label: 'Codex',
    /** An account of its own exists where the CLI does. */
    get hasDefaultProfile() {
      return findCodex(environment) !== null;
    },
    launch: (profile, options) => ({
      argv: [requireCodex(environment), ...codexArguments(options, profile)],
      env: codexHome(profile),
    }),
    install: 'npm install -g @openai/codex',
    cli: {
      program: 'codex',
      provider: 'openai',
      measured: ['0.171.0'],
      overrides: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
    },
    environment: codexHome,
    interactive: (profile, options) => ({
      argv: [requireCodex(environment), ...codexScreen(options, profile)],
      env: codexHome(profile),
    }),
    login: (profile) => ({
      argv: [requireCodex(environment), ...loginSettings(profile), 'login'],
      env: codexHome(profile),
    }),
    trustFolder: (profile, folder) =>
      trustCodexFolder(
        { command: requireCodex(environment), profile, inherited: environment, env: codexHome(profile) },
        folder,
      ),
    parseLine: parseCodexLine,
    usageBefore: (profile, session) => codexUsageBefore(profile, session, environment),
    hasSession: sessions.has,
    carrySession: (from, to, session, cwd) => carrySession(sessions, { from, to, session, cwd }),
    readAfterwards: (profile, session) => readCodexRollout(profile, session, environment),
    probe: (profile, probed) => probeCodex(profile, probed, codexHome(profile)),
    readUsage: (profile) => readCodexUsage(profile, environment, codexHome(profile)),
    prepareProfile: (folder) =>
      writeFile(join(folder, 'config.toml'), starterConfig, { flag: 'wx', mode: 0o600 }),
  };
}

function requireCodex(environment: Readonly<Record<string, string | undefined>>): string {
  const command = findCodex(environment);
  if (command === null) {
    throw new AgentKitError('not_installed', codexMissing);
  }
  return command;
}

/** Without the variable Codex uses its own home. */
function codexHome(profile: Profile): Record<string, string> {
  return profile.folder === null ? {} : { CODEX_HOME: profile.folder };
}

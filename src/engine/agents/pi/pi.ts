import { AgentKitError } from '../../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { hasPiSession } from './hasPiSession.ts';
import { piArguments } from './piArguments.ts';
import { parsePiErrorLine } from './piFailure.ts';
import { piScreen } from './piScreen.ts';
import { parsePiLine } from './piStream.ts';
import { piMissing, probePi } from './probePi.ts';
import { trustPiFolder } from './trustPiFolder.ts';

/** The coding agent Pi, measured with 1.6.0 (design chapter 5). */
export function createPiKind({
  environment,
}: {
  environment: Readonly<Record<string, string | undefined>>;
}): AgentKind {
  return {
    id: 'pi',
    label: 'Pi',
    /** An account of its own exists where the CLI does. */
    get hasDefaultProfile() {
      return findExecutable('pi', environment) !== null;
    },
    launch: (profile, options) => ({
      argv: [requirePi(environment), ...piArguments(options)],
      env: piHome(profile),
    }),
    install: 'npm install -g @earendil-works/pi-coding-agent',
    cli: { program: 'pi', provider: null, measured: ['1.6.0'], overrides: [] },
    environment: piHome,
    interactive: (profile, options) => ({
      argv: [requirePi(environment), ...piScreen(options)],
      env: piHome(profile),
    }),
    // Pi logs in by a command on its own screen, /login.
    login: (profile) => ({ argv: [requirePi(environment)], env: piHome(profile) }),
    trustFolder: (profile, folder) => trustPiFolder(profile, folder, environment),
    parseLine: parsePiLine,
    parseErrorLine: parsePiErrorLine,
    hasSession: (profile, session, cwd) => hasPiSession(profile, session, cwd, environment),
    probe: (profile, probed) => probePi(profile, probed, piHome(profile)),
    readUsage: () =>
      Promise.resolve({ status: 'unknown', reason: 'Pi tells no quota of its accounts', windows: [] }),
    usageIsLocal: true,
  };
}

function requirePi(environment: Readonly<Record<string, string | undefined>>): string {
  const command = findExecutable('pi', environment);
  if (command === null) {
    throw new AgentKitError('not_installed', piMissing);
  }
  return command;
}

/** Without the variable Pi uses its own home. */
function piHome(profile: Profile): Record<string, string> {
  return profile.folder === null ? {} : { PI_CODING_AGENT_DIR: profile.folder };
}

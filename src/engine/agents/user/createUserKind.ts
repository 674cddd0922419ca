import { AgentKitError } from '../../../core/agentKitError.ts';
import type { AgentKind, LaunchOptions, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { missingProgram } from './missingProgram.ts';
import { probeUserKind } from './probeUserKind.ts';
import type { UserKindDefinition } from './userKindSchema.ts';
import { openUserStream } from './userStream.ts';
import { userArguments } from './userArguments.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A kind that a user describes. Nothing is known of its limits and its quota; what it is not described to do, it
 * refuses.
 */
export function createUserKind(
  id: string,
  definition: UserKindDefinition,
  { environment }: { environment: Environment },
): AgentKind {
  const [program = ''] = definition.run;
  const home = (profile: Profile) => homeOf(id, definition, profile);
  const launch = (profile: Profile, options: LaunchOptions) => {
    const argv = userArguments(id, definition, options);
    const env = home(profile);
    requireVariables(id, definition, environment);
    return {
      argv: [requireProgram(argv[0] ?? '', definition, environment), ...argv.slice(1)],
      env,
      described: definition,
    };
  };
  return {
    id,
    label: definition.label ?? id,
    /** An account of its own exists where the program does. */
    get hasDefaultProfile() {
      return findExecutable(program, environment) !== null;
    },
    install: definition.install ?? `put ${program} on PATH`,
    cli: { program, provider: null, measured: [], overrides: [] },
    environment: home,
    launch,
    needs: definition.env ?? [],
    interactive: null,
    login: null,
    trustFolder: null,
    parseLine: (line) => openUserStream(definition)(line),
    openStream: () => openUserStream(definition),
    probe: (profile, inherited) => probeUserKind({ definition, profile, inherited, home }),
    readUsage: () =>
      Promise.resolve({
        status: 'unknown',
        reason: `${id} is described without a quota: only a job that names the account uses it`,
        windows: [],
      }),
    usageIsLocal: true,
  };
}

function homeOf(
  id: string,
  { home_env: name }: UserKindDefinition,
  profile: Profile,
): Record<string, string> {
  if (profile.folder === null) {
    return {};
  }
  if (name === undefined) {
    throw new AgentKitError(
      'refused',
      `${id} is described without home_env, so ${profile.name} would be its own account; use ${id}/@default, or say which variable selects the folder of an account`,
    );
  }
  return { [name]: profile.folder };
}

function requireVariables(id: string, { env = [] }: UserKindDefinition, environment: Environment): void {
  const missing = env.filter((name) => (environment[name] ?? '') === '');
  if (missing.length > 0) {
    throw new AgentKitError(
      'not_logged_in',
      `${id} needs ${missing.join(', ')}, which is not set; set it first`,
    );
  }
}

function requireProgram(name: string, { install }: UserKindDefinition, environment: Environment): string {
  const command = findExecutable(name, environment);
  if (command === null) {
    throw new AgentKitError('not_installed', missingProgram(name, install));
  }
  return command;
}

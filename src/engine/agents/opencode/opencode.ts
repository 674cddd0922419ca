import { AgentKitError } from '../../../core/agentKitError.ts';
import type { AgentKind } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { hasOpencodeSession } from './hasOpencodeSession.ts';
import { opencodeArguments } from './opencodeArguments.ts';
import { parseOpencodeErrorLine } from './opencodeErrors.ts';
import { opencodeHome } from './opencodeHome.ts';
import { postureSettings } from './opencodePosture.ts';
import { opencodeScreen } from './opencodeScreen.ts';
import { openOpencodeStream } from './opencodeStream.ts';
import { opencodeMissing, probeOpencode } from './probeOpencode.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * OpenCode, measured with 1.18.33 (design chapter 5). Where a vendor says to come back in hours, OpenCode waits without
 * a word in its stream and says only once, in its log, that a request failed: it gets some minutes to get over it.
 */
export function createOpencodeKind({ environment }: { environment: Environment }): AgentKind {
  return {
    id: 'opencode',
    label: 'OpenCode',
    /** An account of its own exists where the CLI does. */
    get hasDefaultProfile() {
      return findExecutable('opencode', environment) !== null;
    },
    install: 'npm install -g opencode-ai',
    cli: {
      program: 'opencode',
      provider: null,
      measured: ['1.18.33'],
      overrides: ['OPENCODE_AUTH_CONTENT', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
    },
    environment: opencodeHome,
    launch: (profile, options) => ({
      argv: [requireOpencode(environment), ...opencodeArguments(options)],
      env: { ...opencodeHome(profile), ...postureSettings(options.posture) },
    }),
    interactive: (profile, options) => ({
      argv: [requireOpencode(environment), ...opencodeScreen(options)],
      env: { ...opencodeHome(profile), ...postureSettings(options.posture) },
    }),
    login: (profile) => ({
      argv: [requireOpencode(environment), 'auth', 'login'],
      env: opencodeHome(profile),
    }),
    // OpenCode takes every folder as it is.
    trustFolder: null,
    parseLine: (line) => openOpencodeStream()(line),
    openStream: openOpencodeStream,
    parseErrorLine: parseOpencodeErrorLine,
    hasSession: (profile, session, cwd) => hasOpencodeSession(profile, session, cwd, environment),
    probe: (profile, probed) => probeOpencode(profile, probed, opencodeHome(profile)),
    readUsage: () =>
      Promise.resolve({
        status: 'unknown',
        reason: 'OpenCode tells what was spent on this machine, but no quota of its accounts',
        windows: [],
      }),
    usageIsLocal: true,
  };
}

function requireOpencode(environment: Environment): string {
  const command = findExecutable('opencode', environment);
  if (command === null) {
    throw new AgentKitError('not_installed', opencodeMissing);
  }
  return command;
}

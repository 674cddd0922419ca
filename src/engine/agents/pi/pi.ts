import type { AgentKind, Profile } from '../agentKind.ts';
import { findExecutable } from '../findExecutable.ts';
import { piArguments } from './piArguments.ts';
import { parsePiLine } from './piStream.ts';
import { probePi } from './probePi.ts';

/** The coding agent Pi, measured with 1.6.0 (design chapter 5). */
export function createPiKind({
  environment,
}: {
  environment: Readonly<Record<string, string | undefined>>;
}): AgentKind {
  return {
    id: 'pi',
    label: 'Pi',
    hasDefaultProfile: true,
    launch: (profile, options) => ({
      argv: [findExecutable('pi', environment) ?? 'pi', ...piArguments(options)],
      env: piHome(profile),
    }),
    parseLine: parsePiLine,
    probe: (profile, probed) => probePi(profile, probed, piHome(profile)),
    readUsage: () =>
      Promise.resolve({ status: 'unknown', reason: 'Pi tells no quota of its accounts', windows: [] }),
    usageIsLocal: true,
  };
}

/** Without the variable Pi uses its own home. */
function piHome(profile: Profile): Record<string, string> {
  return profile.folder === null ? {} : { PI_CODING_AGENT_DIR: profile.folder };
}

import { basename, join } from 'node:path';
import { formatAccount } from '../../core/accounts/account.ts';
import { postureEnvironment, type Posture } from '../../core/safety/posture.ts';
import type { Profile, Start } from '../agents/agentKind.ts';
import { attemptMark, laneRunMark } from '../process/attemptMark.ts';
import { withheldNames } from '../process/childEnvironment.ts';
import type { Launch } from '../process/launch.ts';
import type { AgentRunContext, AgentRunRequest } from './agentRun.ts';
import type { RunPlace } from './runPlace.ts';

export interface LaunchParts {
  folder: string;
  start: Start;
  profile: Profile;
  place: RunPlace;
  posture: Posture;
  timeoutS: number;
  /** Variables that the person's settings withhold. */
  deny: readonly string[];
  /** Variables that the kind works with. */
  needs: readonly string[] | undefined;
  request: Pick<AgentRunRequest, 'resume'>;
}

/** File of the prompt in a run's folder; its bytes go to standard input. */
export function promptFile(folder: string): string {
  return join(folder, 'prompt.md');
}

/** What the supervisor of a run starts: under the account, with our marks, and with the posture for all below it. */
export function agentLaunch({ environment }: AgentRunContext, parts: LaunchParts): Launch {
  const { folder, start, profile, place, posture, timeoutS, request, deny, needs = [] } = parts;
  const id = basename(folder);
  return {
    version: 1,
    role: 'agent',
    kind: profile.kind,
    ...(start.described && { user_kind: start.described }),
    profile,
    ...(request.resume !== undefined && { resume: request.resume }),
    argv: start.argv,
    cwd: place.cwd,
    env: {
      ...start.env,
      ...postureEnvironment(posture),
      AGENTKIT_ACTIVE_ACCOUNT: formatAccount({ kind: profile.kind, profile: profile.name }),
      AGENTKIT_RUN: place.lane?.run ?? id,
      ...(place.lane && { AGENTKIT_LANE: place.lane.lane, [laneRunMark]: place.lane.folder }),
      [attemptMark]: `run/${id}`,
    },
    withheld: withheldNames(environment, { deny, needs }),
    stdin_file: promptFile(folder),
    timeout_s: timeoutS,
  };
}

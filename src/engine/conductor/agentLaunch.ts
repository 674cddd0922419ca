import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { choosePosture, postureEnvironment } from '../../core/safety/posture.ts';
import { confirmHeld } from '../accounts/confirmHeld.ts';
import { findProfile } from '../accounts/profiles.ts';
import { whoAsks } from '../accounts/whoAsks.ts';
import { withheldNames } from '../process/childEnvironment.ts';
import type { Launch } from '../process/launch.ts';
import { deniedBy } from './deniedBy.ts';
import { leaseOwner } from './holdAccount.ts';
import { laneVariables } from './laneMarks.ts';
import { promptOf } from './promptOf.ts';
import { resumedSession } from './resumedSession.ts';
import type { RunContext } from './runContext.ts';

/** How the agent of the lane's newest attempt is started. @throws AgentKitError where it cannot be, with the cure */
export async function agentLaunch(run: RunContext, lane: LaneRecord, folder: string): Promise<Launch> {
  const account = parseAccount(lane.account ?? '');
  const kind = run.kinds.get(account.kind);
  if (kind === undefined || lane.worktree === undefined) {
    throw new AgentKitError(
      'not_found',
      `Lane ${lane.id} has no worktree or an unknown kind ${account.kind}.`,
    );
  }
  const profile = await findProfile(kind, account.profile, run.environment);
  const owner = leaseOwner(run, lane.id);
  await confirmHeld({ kind, profile, environment: run.environment, owner });
  const resume = await resumedSession(run, lane, kind, profile);
  const { plan } = run.state();
  const { waiting_timeout: waiting } = plan;
  const prompt = join(folder, 'prompt.md');
  await writeFile(prompt, await promptOf(run, lane), { mode: 0o600 });
  const asked = await whoAsks({ environment: run.environment, asks: run.asks, plan });
  const posture = choosePosture({ said: asked.map(() => 'ask') });
  const { argv, env, described } = kind.launch(profile, {
    posture,
    ...(lane.job.model !== undefined && { model: lane.job.model }),
    ...(resume !== undefined && { resume }),
  });
  return {
    version: 1,
    role: 'agent',
    kind: kind.id,
    ...(described && { user_kind: described }),
    profile,
    ...(resume !== undefined && { resume }),
    argv,
    cwd: lane.worktree.path,
    env: {
      ...env,
      ...postureEnvironment(posture),
      ...laneVariables(run, lane),
      AGENTKIT_ACTIVE_ACCOUNT: lane.account ?? '',
    },
    withheld: withheldNames(run.environment, { deny: await deniedBy(run), needs: kind.needs ?? [] }),
    stdin_file: prompt,
    timeout_s: lane.job.timeout,
    ...(waiting !== undefined && { waiting_timeout_s: waiting }),
  };
}

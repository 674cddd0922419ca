import { join } from 'node:path';
import { releaseLease, takeLease } from '../accounts/leases.ts';
import { attemptFolder } from '../../core/run/stepFolders.ts';
import type { RunContext } from './runContext.ts';

/** The lease lives with this process, then with the supervisor of the lane's next attempt. */
export function takeAccount(run: RunContext, laneId: string, account: string): Promise<boolean> {
  return holdAccount(run, laneId, account, attemptFolder(laneId, run.lane(laneId).attempts.length + 1));
}

/** Takes or renews the lease of a lane for the attempt in a folder. False when somebody else has the account. */
export function holdAccount(
  run: RunContext,
  laneId: string,
  account: string,
  step: string,
): Promise<boolean> {
  const holder = join(run.folder, step);
  return takeLease({ account, owner: leaseOwner(run, laneId), holder, environment: run.environment });
}

export async function freeAccount(run: RunContext, laneId: string): Promise<void> {
  await releaseLease({ owner: leaseOwner(run, laneId), environment: run.environment });
}

export function leaseOwner(run: RunContext, laneId: string): string {
  return `${run.state().run}/${laneId}`;
}

import { worktreeOf } from '../../core/run/ownSettings.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { reservePorts } from '../setup/reservePorts.ts';
import { userFolders } from '../store/userFolders.ts';
import { portOwner } from './portOwner.ts';
import type { RunContext } from './runContext.ts';

/** Ports of a lane's own, by variable; what it had before as long as that is free. @throws AgentKitError as `reservePorts` */
export async function reserveLanePorts(run: RunContext, lane: LaneRecord): Promise<Record<string, number>> {
  return reservePorts({
    stateFolder: userFolders(run.environment).state,
    owner: portOwner(run, lane.id),
    repository: run.repository.commonDir,
    ports: worktreeOf(run.state(), lane)?.ports ?? {},
    previous: lane.ports,
  });
}

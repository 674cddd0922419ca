import { AgentKitError } from '../core/agentKitError.ts';
import type { LaneState } from '../core/lanes/laneState.ts';
import type { RunView } from '../core/lanes/laneView.ts';
import type { AgentKit } from '../engine/agentKit.ts';
import { letGoMessage } from './letGoMessage.ts';
import type { Session } from './session.ts';

/** States that a person has to know the reason of. */
const needing: ReadonlySet<LaneState> = new Set(['waiting', 'failed', 'blocked', 'interrupted']);

/** Says every change of a lane's state until the run is at rest. @throws AgentKitError `cancelled` on Ctrl+C */
export async function followRun(
  kit: AgentKit,
  run: string,
  atRest: Promise<RunView>,
  session: Session,
): Promise<RunView> {
  const told = new Map<string, string>();
  const tell = (view: RunView) => {
    for (const lane of view.lanes) {
      if (told.get(lane.lane) === lane.state) continue;
      told.set(lane.lane, lane.state);
      const why = needing.has(lane.state) ? ` — ${lane.why_not.at(-1) ?? ''}` : '';
      session.say(`  ${lane.lane}: ${lane.state}${lane.account === null ? '' : ` · ${lane.account}`}${why}`);
    }
  };
  const watch = kit.watchRuns(() => {
    kit.readRun(run).then(tell, () => undefined);
  });
  try {
    const view = await Promise.race([atRest, letGo(run, session.interrupts.signal)]);
    tell(view);
    return view;
  } finally {
    watch.close();
  }
}

/** Rejects when the person lets go of the run. */
function letGo(run: string, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const cancel = () => {
      reject(new AgentKitError('cancelled', letGoMessage(run)));
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

import type { RunView } from '../core/lanes/laneView.ts';
import type { AgentKit } from '../engine/agentKit.ts';
import type { Session } from './session.ts';

/** Says every change of a lane's state until the run is at rest. */
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
      const why =
        lane.state === 'failed' || lane.state === 'blocked' ? ` — ${lane.why_not.at(-1) ?? ''}` : '';
      session.say(`  ${lane.lane}: ${lane.state}${lane.account === null ? '' : ` · ${lane.account}`}${why}`);
    }
  };
  const watch = kit.watchRuns(() => {
    kit.readRun(run).then(tell, () => undefined);
  });
  try {
    const view = await atRest;
    tell(view);
    return view;
  } finally {
    watch.close();
  }
}

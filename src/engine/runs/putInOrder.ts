import { messageOf } from '../../core/agentKitError.ts';
import type { RunState } from '../../core/run/runState.ts';
import { remakeRescues } from '../conductor/knownRescues.ts';
import type { EngineContext } from '../conductor/runContext.ts';
import { findOrphans } from '../process/orphans.ts';
import { sweepTrash } from '../removal/sweepTrash.ts';
import { runsFolder } from '../store/runFolder.ts';
import { clearArchives } from './clearArchives.ts';
import { forgetGoneLanes } from './forgetGoneLanes.ts';

/** What a start gives to the remains of earlier removals, in milliseconds. */
const sweepMs = 2000;

/**
 * What whoever takes a run over does first: makes deleted rescue refs again, clears away what killed rescues left and
 * removals could not delete to the end, has git forget closed lanes whose folder is gone, and looks for what ended attempts
 * left running. What is found is told by lane.
 */
export async function putInOrder(engine: EngineContext, state: RunState): Promise<Map<string, string[]>> {
  const { commonDir } = engine.repository;
  const warnings = new Map<string, string[]>();
  const warn = (lane: string, text: string) =>
    warnings.set(lane, [...new Set([...(warnings.get(lane) ?? []), text])]);
  const rescued = state.lanes.filter(({ rescues }) => rescues.length > 0);
  await remakeRescues(engine.repository, await engine.allRuns(), engine.now()).then(
    (remade) => {
      for (const { id, rescues } of rescued)
        for (const { ref } of rescues)
          if (remade.includes(ref))
            warn(id, `Its rescue ${ref} had been deleted or moved, and was made again.`);
    },
    (error: unknown) => {
      for (const { id } of rescued) warn(id, messageOf(error));
    },
  );
  const warnAll = (error: unknown) => {
    for (const { id } of state.lanes) warn(id, messageOf(error));
  };
  await clearArchives(engine).catch(warnAll);
  await sweepTrash({ commonDir, limitMs: sweepMs }).catch((error: unknown) => {
    for (const { id, removed } of state.lanes) if (removed !== undefined) warn(id, messageOf(error));
  });
  await forgetGoneLanes(engine, { dryRun: false }).catch(warnAll);
  const left = await findOrphans({ runsFolder: runsFolder(commonDir), dist: engine.dist });
  for (const { run, lane, pid, command } of left)
    if (run === state.run)
      warn(lane, `Process ${pid} (${command}) was left by an agent that has ended: ak lane orphans`);
  return warnings;
}

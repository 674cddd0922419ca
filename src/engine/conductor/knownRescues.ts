import type { RunState } from '../../core/run/runState.ts';
import { ensureRescueRefs } from '../rescue/ensureRescueRefs.ts';
import { readDroppedRescues } from '../store/droppedRescues.ts';
import { noteRemadeRescues } from '../store/remadeRescues.ts';

/** Every rescue that the journals of a repository tell of and nobody has given up. */
export async function knownRescues(
  commonDir: string,
  states: readonly RunState[],
): Promise<{ ref: string; commit: string }[]> {
  const dropped = await readDroppedRescues(commonDir);
  return states
    .flatMap(({ lanes }) => lanes)
    .flatMap(({ rescues }) => rescues)
    .filter(({ ref }) => !dropped.has(ref))
    .map(({ ref, commit }) => ({ ref, commit }));
}

/** Makes those again whose refs somebody deleted or moved, and notes when. @throws AgentKitError `not_found` when one is lost */
export async function remakeRescues(
  { root, commonDir }: { root: string; commonDir: string },
  states: readonly RunState[],
  now: Date,
): Promise<string[]> {
  const remade = await ensureRescueRefs(root, await knownRescues(commonDir, states));
  await noteRemadeRescues(commonDir, remade, now);
  return remade;
}

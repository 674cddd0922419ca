import { AgentKitError } from '../../core/agentKitError.ts';
import { dropRescue } from '../rescue/dropRescue.ts';
import { listRescues } from '../rescue/listRescues.ts';
import { noteDroppedRescue } from '../store/droppedRescues.ts';
import type { CareSources } from './createLaneCare.ts';
import type { RescueEntry } from './laneCare.ts';

/** Newest first. */
export async function listAllRescues({ repository }: CareSources): Promise<RescueEntry[]> {
  return listRescues(repository.root);
}

/**
 * Forgets a rescue, at the person's word only.
 * @throws AgentKitError `not_found`, `refused` for what is no rescue, `conflict` while a lane is made from it
 */
export async function dropRescueOf({ repository, engine }: CareSources, ref: string): Promise<void> {
  const { root, commonDir } = repository;
  const known = (await listRescues(root)).some((each) => each.ref === ref);
  if (!known) throw new AgentKitError('not_found', `There is no rescue ${ref}; ak lane rescues lists them.`);
  const lanes = (await engine.allRuns()).flatMap((state) => state.lanes);
  const user = lanes.find(
    (lane) =>
      (lane.restores === ref && lane.state === 'preparing') ||
      (lane.closing !== undefined && lane.rescues.at(-1)?.ref === ref),
  );
  if (user !== undefined)
    throw new AgentKitError(
      'conflict',
      `Lane ${user.id} needs ${ref} right now; try again when it has ended.`,
    );
  await noteDroppedRescue(commonDir, ref);
  await dropRescue({ root, commonDir, ref });
}

import { messageOf } from '../../core/agentKitError.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { listRunFolders } from '../store/runFolder.ts';
import type { CareSources } from './createLaneCare.ts';
import type { CleanAnswer } from './laneCare.ts';
import { lostLanes, type LostLane } from './lostLanes.ts';
import { listPutAside } from './putAside.ts';
import { previewRemoval } from './previewRemoval.ts';
import { missingIn, previewTidyUp, tidyUp } from './tidyUp.ts';

type Kept = CleanAnswer['kept'][number];
type Removed = CleanAnswer['removed'][number];

/**
 * Takes away the worktrees of lanes that are merged and, unless only those are meant, of dropped ones; with `dryRun`
 * tells what it would do. A lane that has to stay keeps none of the others.
 */
export async function cleanLanes(
  sources: CareSources,
  { merged, dryRun }: { merged: boolean; dryRun: boolean },
): Promise<CleanAnswer> {
  const answer: CleanAnswer = { removed: [], kept: [], pruned: [], archives: [], left: [], broken: [] };
  const folders = await listRunFolders(sources.repository.commonDir);
  for (const folder of folders) {
    const state = await sources.reader.state(folder).catch(() => undefined);
    for (const lane of state?.lanes ?? []) {
      const { worktree } = lane;
      const isOver = lane.state === 'merged' || (!merged && lane.state === 'dropped');
      if (state === undefined || worktree === undefined || !isOver) continue;
      const end = await clean(sources, folder, state, lane, dryRun).catch((error: unknown) =>
        kept(state, lane, [messageOf(error)]),
      );
      if ('reasons' in end) answer.kept.push(end);
      else answer.removed.push(end);
    }
  }
  answer.kept.push(...(await listPutAside(sources)).map((aside) => ({ ...aside, reasons: whyAside })));
  answer.kept.push(...(await lostLanes(sources)).map(keptLost));
  const tidied = await (dryRun ? previewTidyUp(sources) : tidyUp(sources));
  const removed = [...answer.removed, ...tidied.removed];
  const hasChanged = !dryRun && removed.length + tidied.pruned.length > 0;
  const broken = hasChanged ? await missingIn(sources.repository.root) : [];
  return { ...answer, ...tidied, removed, broken };
}

async function clean(
  sources: CareSources,
  folder: string,
  state: RunState,
  lane: LaneRecord,
  dryRun: boolean,
): Promise<Kept | Removed> {
  if (dryRun) {
    const { why_not, not_kept } = await previewRemoval(sources, state, lane, 'remove');
    const reasons = [...why_not, ...not_kept];
    return reasons.length > 0
      ? kept(state, lane, reasons)
      : { ...named(state, lane), rescue: null, branch: 'deleted', left: [], warnings: [] };
  }
  const answer = await sources.keeper.request(folder, { do: 'remove', lane: lane.id });
  const now = (await sources.reader.state(folder)).lanes.find(({ id }) => id === lane.id);
  if (!answer.ok || now?.removed === undefined) return kept(state, lane, [answer.message]);
  const { branch, left } = now.removed;
  const rescue = now.rescues.slice(lane.rescues.length).at(-1)?.ref ?? null;
  return { ...named(state, lane), rescue, branch, left, warnings: now.warnings.slice(lane.warnings.length) };
}

function keptLost({ lane, run, path, whyNot }: LostLane): Kept {
  const told = 'No run that can be read tells of it.';
  if (whyNot.length > 0) return { lane, run, path, reasons: [told, ...whyNot] };
  const cure = `Make it a lane by hand, as it is: ak lane adopt "${path}"`;
  return { lane, run, path, reasons: [told, cure], adoptable: true };
}

const whyAside = ['It holds what was found in an unfinished folder; look at it, and delete it by hand.'];

function named(state: RunState, { id, worktree }: LaneRecord) {
  return { lane: id, run: state.run, path: worktree?.path ?? '' };
}

function kept(state: RunState, lane: LaneRecord, reasons: string[]): Kept {
  return { ...named(state, lane), reasons };
}

import { AgentKitError } from '../../core/agentKitError.ts';
import { counted } from '../../core/counted.ts';
import type { ProcessIdentity } from '../../core/run/processIdentity.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { archiveLimit } from '../conductor/archiveLimit.ts';
import { isLostBy } from '../conductor/keepLane.ts';
import { parentMissing } from '../conductor/keepWhatIsLeft.ts';
import { removalRequest } from '../conductor/removalRequest.ts';
import { findMovedLane, type MovedLane } from '../git/moveLaneBack.ts';
import { inspectRemoval, type RemovalPreview, type RemovalRequest } from '../removal/inspectRemoval.ts';
import { whoWorksIn } from '../removal/whoWorksIn.ts';
import { previewRescue } from '../rescue/previewRescue.ts';
import type { CareSources } from './createLaneCare.ts';
import type { DiscardPreview } from './laneCare.ts';
import { orphansOfLane } from './laneOrphans.ts';

const nothing: DiscardPreview = {
  lane: '',
  path: null,
  branch: null,
  dirty: [],
  untracked: [],
  ignored: { files: 0, bytes: 0, largest: [] },
  unpushed: 0,
  unmerged: false,
  submodules: [],
  processes: [],
  not_kept: [],
  branch_fate: 'There is none.',
  why_not: [],
};

/**
 * What is in a lane's worktree, and what keeps it from being taken away. Changes nothing: a folder that somebody has
 * moved, and that a removal would put back first, is looked at where it lies.
 * @param why who removes one that is over loses nothing by a folder that is gone already
 */
export async function previewRemoval(
  sources: CareSources,
  state: RunState,
  record: LaneRecord,
  why: 'discard' | 'remove',
): Promise<DiscardPreview> {
  const { engine, repository } = sources;
  const place = record.worktree;
  if (place === undefined) return { ...nothing, lane: record.id };
  const request = removalRequest(engine, state, record.id, place);
  const moved = await orWhyNot(findMovedLane(request));
  const removal = moved instanceof AgentKitError ? moved : await orWhyNot(inspect(request, moved));
  const at = moved instanceof AgentKitError ? null : moved;
  const named = { lane: record.id, path: at?.folder ?? place.path, branch: place.branch };
  if (removal instanceof AgentKitError)
    return { ...nothing, ...named, branch_fate: 'Not known.', why_not: [removal.message] };
  const { run, lane, branch, nonce } = request;
  const path = at?.known ?? place.path;
  const asked = { ...repository, path, branch, run, lane, nonce, leaveOut: record.placed, archiveLimit };
  const inside = at === null ? asked : { ...asked, at: at.folder };
  const missing = why === 'remove' && at === null ? parentMissing(path, 'ak lane clean') : null;
  // What git knows nothing of, or what may not be the lane, has nothing that a rescue could keep: why it stays is among
  // the reasons.
  const isKnown = removal.listed && removal.refusals.length === 0;
  const found = isKnown && missing === null ? await orWhyNot(previewRescue(inside)) : null;
  const rescue = found instanceof AgentKitError ? null : found;
  const left = removal.processes.length === 0 ? [] : await orphansOfLane(sources, { run, lane });
  const reasons = [...withoutOurs(removal, `${run}/${lane}/`, left), ...(missing === null ? [] : [missing])];
  return {
    ...named,
    dirty: rescue?.changed ?? removal.dirty,
    untracked: rescue?.untracked ?? removal.untracked,
    ignored: rescue?.ignored ?? nothing.ignored,
    unpushed: removal.unpushed,
    unmerged: removal.unmerged,
    submodules: rescue?.submodules ?? removal.submodules,
    processes: removal.processes.map(({ pid, command, mark }) => ({ pid, command, ours: mark !== null })),
    not_kept: (rescue?.notKept ?? [])
      .filter(({ reason }) => isLostBy(why, reason))
      .map((each) => `${each.path}: ${each.reason}`),
    branch_fate: branchFate(removal),
    why_not: found instanceof AgentKitError ? [...reasons, found.message] : reasons,
  };
}

/** What cannot be looked at cannot be taken away either: why is told like any other reason. */
async function orWhyNot<T>(preview: Promise<T>): Promise<T | AgentKitError> {
  return preview.catch((error: unknown) => {
    if (error instanceof AgentKitError) return error;
    throw error;
  });
}

function branchFate({ branch, unmerged, unpushed }: RemovalPreview): string {
  if (!unmerged) return `${branch} is deleted; all of it is in its target.`;
  if (unpushed === 0) return `${branch} is deleted; its commits are in other branches, and in the rescue.`;
  return `${branch} is deleted; the rescue keeps ${counted(unpushed, 'commit')} that nothing else has.`;
}

/** Git's word, and what works where the folder lies now. */
async function inspect(request: RemovalRequest, moved: MovedLane | null): Promise<RemovalPreview> {
  if (moved === null) return inspectRemoval(request);
  const { folder, known } = moved;
  const found = await inspectRemoval({ ...request, path: known });
  if (folder === known) return found;
  const { processes, reasons } = whoWorksIn(folder, request);
  return { ...found, processes, whyNot: [...found.whyNot, ...reasons] };
}

/** What agents of the lane itself left running is ended before the removal, and is no reason against it. */
function withoutOurs(
  { processes, whyNot }: RemovalPreview,
  marks: string,
  left: readonly ProcessIdentity[],
): string[] {
  const ours = processes.filter(
    (each) => each.mark?.startsWith(marks) || left.some(({ pid }) => pid === each.pid),
  );
  return whyNot.filter((reason) => !ours.some(({ pid }) => reason.startsWith(`Process ${pid} (`)));
}

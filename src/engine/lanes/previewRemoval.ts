import { AgentKitError } from '../../core/agentKitError.ts';
import { counted } from '../../core/counted.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { archiveLimit } from '../conductor/archiveLimit.ts';
import { isLostBy } from '../conductor/keepLane.ts';
import { parentMissing } from '../conductor/keepWhatIsLeft.ts';
import { removalRequest } from '../conductor/removalRequest.ts';
import { bringLaneBack } from '../git/moveLaneBack.ts';
import { inspectRemoval, type RemovalPreview } from '../removal/inspectRemoval.ts';
import { previewRescue } from '../rescue/previewRescue.ts';
import type { CareSources } from './createLaneCare.ts';
import type { DiscardPreview } from './laneCare.ts';

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
 * What is in a lane's worktree, and what keeps it from being taken away. Changes nothing, but puts a folder back that
 * somebody has moved: where it is looked for, all that it holds can be told and kept.
 * @param why who removes one that is over loses nothing by a folder that is gone already
 */
export async function previewRemoval(
  { engine, repository }: CareSources,
  state: RunState,
  record: LaneRecord,
  why: 'discard' | 'remove',
): Promise<DiscardPreview> {
  const place = record.worktree;
  if (place === undefined) return { ...nothing, lane: record.id };
  const request = removalRequest(engine, state, record.id, place);
  const removal = await orWhyNot(bringLaneBack(request).then(() => inspectRemoval(request)));
  const named = { lane: record.id, path: place.path, branch: place.branch };
  if (removal instanceof AgentKitError)
    return { ...nothing, ...named, branch_fate: 'Not known.', why_not: [removal.message] };
  const { run, lane, path, branch, nonce } = request;
  const inside = { ...repository, path, branch, run, lane, nonce, leaveOut: record.placed, archiveLimit };
  const missing = why === 'remove' ? parentMissing(path, 'ak lane clean') : null;
  // What git knows nothing of, or what may not be the lane, has nothing that a rescue could keep: why it stays is among
  // the reasons.
  const isKnown = removal.listed && removal.refusals.length === 0;
  const found = isKnown && missing === null ? await orWhyNot(previewRescue(inside)) : null;
  const rescue = found instanceof AgentKitError ? null : found;
  const reasons = [...withoutOurs(removal, `${run}/${lane}/`), ...(missing === null ? [] : [missing])];
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

/** What an attempt of the lane itself left running is ended before the removal, and is no reason against it. */
function withoutOurs({ processes, whyNot }: RemovalPreview, marks: string): string[] {
  const ours = processes.filter(({ mark }) => mark?.startsWith(marks));
  return whyNot.filter((reason) => !ours.some(({ pid }) => reason.startsWith(`Process ${pid} (`)));
}

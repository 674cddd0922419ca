import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { copiedIn, fingerprintSchema, type Fingerprint } from '../../core/safety/fingerprint.ts';
import { foreignChanges, type AllowedChanges } from '../../core/safety/foreignChanges.ts';
import type { ForeignChange } from '../../core/run/rescue.ts';
import { isActive } from '../../core/run/isActive.ts';
import type { LaneRecord, RunState } from '../../core/run/runState.ts';
import { takeFingerprint } from '../isolation/takeFingerprint.ts';
import { readDroppedRescues } from '../store/droppedRescues.ts';
import { readRemadeRescues } from '../store/remadeRescues.ts';
import { readJsonIfThere, writeJson } from '../store/atomicFile.ts';
import { knownRescues, remakeRescues } from './knownRescues.ts';
import type { RunContext } from './runContext.ts';

/** Takes down, in the folder of an attempt that is about to start, how everything outside of its lane is. Once. */
export async function noteFingerprint(run: RunContext, folder: string): Promise<void> {
  const file = fingerprintFile(folder);
  if (existsSync(file)) return;
  const copied = run.state().lanes.flatMap(({ placed }) => placed);
  await writeJson(file, await takeFingerprint(run.repository, [...new Set(copied)]));
}

/** What has changed outside of a lane since its attempt began, and is not explained by what we or other lanes did. */
export async function foreignSince(
  run: RunContext,
  lane: LaneRecord,
  folder: string,
): Promise<ForeignChange[]> {
  const before = await readJsonIfThere(fingerprintFile(folder), fingerprintSchema);
  // An attempt that never began had nothing taken down, and has changed nothing.
  if (before === null) return [];
  const after = await takeFingerprint(run.repository, copiedIn(before)).catch((error: unknown) => {
    if (error instanceof AgentKitError) return error;
    throw error;
  });
  if (after instanceof AgentKitError) return [{ what: 'config', name: 'repository', message: after.message }];
  // Only now: what the fingerprint shows of other runs, their journals tell by this time, or are about to.
  const others = (await run.allRuns()).filter((state) => state.run !== run.state().run);
  const since = lane.attempts.at(-1)?.started_at ?? '';
  const all = [run.state(), ...others];
  const rescues = await knownRescues(run.repository.commonDir, all);
  const allowed = allowedFor(lane, all, since, { before, after });
  const changes = foreignChanges(before, after, {
    ...allowed,
    ours: { ...allowed.ours, ...(await givenUp(run, after)) },
    rescues: Object.fromEntries(rescues.map(({ ref, commit }) => [ref, commit])),
  });
  const told = changes.map(({ name }) => name);
  const remade = await remadeSince(run, since);
  if (changes.some(({ what }) => what === 'rescue')) await remakeRescues(run.repository, all, run.now());
  return [...changes, ...remade.filter(({ name }) => !told.includes(name))];
}

/** Rescues that were deleted or moved meanwhile, and that another attempt or owner has made again already. */
async function remadeSince(run: RunContext, since: string): Promise<ForeignChange[]> {
  const remade = (await readRemadeRescues(run.repository.commonDir)).filter(({ at }) => at >= since);
  return [...new Set(remade.map(({ ref }) => ref))].map((name) => ({
    what: 'rescue',
    name,
    message: `The rescue ${name} was deleted or moved, and has been made again`,
  }));
}

/** Rescues that a person has given up. */
async function givenUp(run: RunContext, { refs }: Fingerprint): Promise<Record<string, null>> {
  const dropped = await readDroppedRescues(run.repository.commonDir);
  return Object.fromEntries([...dropped].filter((ref) => !(ref in refs)).map((ref) => [ref, null]));
}

function fingerprintFile(folder: string): string {
  return join(folder, 'fingerprint.json');
}

function allowedFor(
  lane: LaneRecord,
  all: readonly RunState[],
  since: string,
  seen: { before: Fingerprint; after: Fingerprint },
): Omit<AllowedChanges, 'rescues'> {
  const others = all.flatMap(({ lanes }) => lanes).filter((each) => each !== lane);
  return {
    ownBranch: lane.worktree?.branch ?? '',
    busyBranches: others
      .filter((each) => each.byHand || isActive(each) || each.since >= since)
      .flatMap(({ worktree, intended }) => worktree?.branch ?? intended?.branch ?? []),
    ours: { ...takenAway(others, since, seen), ...moved(all, since, seen.after) },
  };
}

/** Branches of lanes that we took away meanwhile, or are taking away. */
function takenAway(
  lanes: readonly LaneRecord[],
  since: string,
  { before, after }: { before: Fingerprint; after: Fingerprint },
): Record<string, null> {
  const gone = lanes.flatMap(({ id, removed, closing, worktree, intended }) => {
    if (closing !== undefined) return [(worktree ?? intended)?.branch ?? ''];
    // A lane that began anew may have had its branch beside that of another one.
    const isOld = (branch: string) => branch.replace(/-\d+$/, '') === `lane/${id}` || branch === `lane/${id}`;
    const isGone = removed !== undefined && removed.branch !== 'kept' && removed.at >= since;
    return isGone ? branchesIn(before).filter((branch) => isOld(branch)) : [];
  });
  const refs = gone.map((branch) => `refs/heads/${branch}`).filter((ref) => !(ref in after.refs));
  return Object.fromEntries(refs.map((ref) => [ref, null]));
}

function branchesIn({ refs }: Fingerprint): string[] {
  return Object.keys(refs).flatMap((ref) => (ref.startsWith('refs/heads/') ? ref.slice(11) : []));
}

/** Targets that we moved meanwhile, and where the last merge has put each; one under way may have done so already. */
function moved(all: readonly RunState[], since: string, after: Fingerprint): Record<string, string> {
  const merges = all.flatMap(({ lanes }) =>
    lanes.flatMap(({ state, merge, since: at }) => {
      if (merge?.made === undefined) return [];
      const { target, commit } = merge.made;
      const ref = `refs/heads/${target}`;
      const isUnderWay = state === 'merging' && after.refs[ref] === commit;
      return isUnderWay || (state === 'merged' && at >= since) ? [{ at, ref, commit }] : [];
    }),
  );
  merges.sort((one, other) => one.at.localeCompare(other.at));
  return Object.fromEntries(merges.map(({ ref, commit }) => [ref, commit]));
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathMatches } from '../../core/plan/globs.ts';
import { outsidePaths } from '../../core/safety/outsidePaths.ts';
import { secretShapes } from '../../core/safety/redact.ts';
import type { Changes, Worktree } from '../../core/run/runEvent.ts';
import type { LaneRecord } from '../../core/run/runState.ts';
import { commitLeftovers } from '../git/commitLeftovers.ts';
import { laneChanges } from '../git/laneChanges.ts';
import { laneFacts } from '../git/laneFacts.ts';
import type { RunContext } from './runContext.ts';

/** A lane that has a branch and a worktree. */
export type MadeLane = LaneRecord & Worktree;

/** Commits what the attempt left, as far as allowed, and judges what the lane holds now. */
export async function settleLane(run: RunContext, laneId: string): Promise<void> {
  const lane = made(run.lane(laneId));
  const before = await laneFacts(lane);
  const stray = strayReason(lane, before);
  const left = stray === undefined && run.state().plan.commit === 'kit' ? await commitWork(lane) : undefined;
  const { head, clean, dirty } = left === undefined ? before : await laneFacts(lane);
  const { paths, ...counts } = await laneChanges({ path: lane.path, base: lane.base, head });
  const changes: Changes = {
    ...counts,
    outside_paths: outsidePaths([...paths, ...(left?.outside ?? [])], lane.job.paths),
  };
  const uncommitted = clean ? [] : dirty.filter((path) => !lane.leftByGate.includes(path));
  const refused = stray ?? left?.refused ?? (await judge(lane, changes, uncommitted));
  await run.append({
    type: 'lane.settled',
    lane: laneId,
    head,
    committed: left?.committed ?? [],
    changes,
    ...(refused !== undefined && { refused }),
  });
}

export function made(lane: LaneRecord): MadeLane {
  if (lane.worktree === undefined) throw new Error(`Lane ${lane.id} was never made`);
  return { ...lane, ...lane.worktree };
}

type Facts = Awaited<ReturnType<typeof laneFacts>>;

/** Why the worktree is not in a state that can be committed or judged. */
export function strayReason(lane: MadeLane, facts: Facts): string | undefined {
  if (facts.operation !== null)
    return `A ${facts.operation} is under way in ${lane.path}; finish or abort it there.`;
  if (facts.head !== facts.branchTip) {
    return `The worktree stands at ${facts.head.slice(0, 10)}, which is not the tip of ${lane.branch}; switch back to the branch there.`;
  }
  return undefined;
}

async function commitWork(
  lane: MadeLane,
): Promise<{ committed: string[]; outside: string[]; refused?: string }> {
  const { paths } = lane.job;
  const left = await commitLeftovers({
    path: lane.path,
    isAllowed: (path) => paths.length === 0 || pathMatches(paths, path),
    isIgnored: (path) => lane.leftByGate.includes(path),
    isSecret: (_path, bytes) => secretShapes(bytes.toString('utf8'))[0] ?? null,
    message: `${lane.id}: what the agent left uncommitted`,
    trailer: { key: 'AgentKit-Lane', value: lane.id },
    runHooks: true,
  });
  if (left.secrets.length > 0) {
    return {
      ...left,
      refused: `Nothing was committed: these files look like they hold a secret: ${left.secrets.join(', ')}.`,
    };
  }
  return left;
}

async function judge(lane: MadeLane, changes: Changes, uncommitted: string[]): Promise<string | undefined> {
  const { paths, expects } = lane.job;
  if (changes.outside_paths.length > 0) {
    return `It wrote outside its paths (${paths.join(', ')}): ${changes.outside_paths.join(', ')}.`;
  }
  if (uncommitted.length > 0) return `It left uncommitted work: ${uncommitted.join(', ')}.`;
  if (expects === 'changes' && changes.files === 0)
    return 'The agent ended without an error but changed nothing.';
  if (expects === 'none' && changes.files > 0)
    return `It was to change nothing, but ${changes.files} files changed.`;
  if (expects.startsWith('file:')) {
    const file = expects.slice('file:'.length);
    const found = await stat(join(lane.path, file)).catch(() => undefined);
    if (found === undefined) return `The expected file ${file} is not there.`;
  }
  return undefined;
}

import { counted } from '../../core/counted.ts';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeDenied } from '../../core/accounts/refusal.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { pathMatches } from '../../core/plan/globs.ts';
import { outsidePaths } from '../../core/safety/outsidePaths.ts';
import { secretShapes } from '../../core/safety/redact.ts';
import type { Changes, RunEventBody, Worktree } from '../../core/run/runEvent.ts';
import type { AttemptState, LaneRecord } from '../../core/run/runState.ts';
import { attemptFolder } from '../../core/run/stepFolders.ts';
import { describeForeign } from '../../core/run/describeForeign.ts';
import { commitLeftovers } from '../git/commitLeftovers.ts';
import { findBlobs } from '../git/findBlobs.ts';
import { changesBase, laneChanges } from '../git/laneChanges.ts';
import { laneFacts } from '../git/laneFacts.ts';
import type { StatusEntry } from '../git/parseStatus.ts';
import { readStatus } from '../git/readStatus.ts';
import { readStep } from '../process/steps.ts';
import { notWork } from './leftovers.ts';
import type { RunContext } from './runContext.ts';

/** A lane that has a branch and a worktree. */
export type MadeLane = LaneRecord & Worktree;

type Settled = Omit<Extract<RunEventBody, { type: 'lane.settled' }>, 'type' | 'lane'>;

/**
 * Commits what the attempt left, as far as allowed, and judges what the lane holds now. What git or a hook refuses
 * fails the lane with their words, so that its gate can be asked for again.
 */
export async function settleLane(run: RunContext, laneId: string): Promise<void> {
  const lane = made(run.lane(laneId));
  const settled = await settle(run, lane).catch((error: unknown): Settled => {
    if (!(error instanceof AgentKitError)) throw error;
    const { head = lane.base, changes = nothing } = lane;
    return { head, committed: [], changes, refused: error.message };
  });
  await run.append({ type: 'lane.settled', lane: laneId, ...settled });
}

const nothing: Changes = { files: 0, insertions: 0, deletions: 0, commits: 0, outside_paths: [] };

async function settle(run: RunContext, lane: MadeLane): Promise<Settled> {
  const { plan, target } = run.state();
  if (!existsSync(lane.path)) {
    const message = `The worktree ${lane.path} is gone; retry the lane, which makes it again from ${lane.branch}.`;
    throw new AgentKitError('not_found', message);
  }
  const before = await laneFacts(lane);
  const ignored = await notWork(lane, before.untracked);
  const stray = strayReason(lane, before);
  const left = stray === undefined && plan.commit === 'kit' ? await commitWork(lane, ignored) : undefined;
  const { head, dirty } = left === undefined ? before : await laneFacts(lane);
  const base = await changesBase({ path: lane.path, base: lane.base, head, target: target.ref });
  const { paths, ...counts } = await laneChanges({ path: lane.path, base, head });
  const changes: Changes = {
    ...counts,
    outside_paths: outsidePaths([...paths, ...(left?.outside ?? [])], lane.job.paths),
  };
  const uncommitted = dirty.filter((path) => !ignored.includes(path));
  const refused =
    describeForeign(lane.id, lane.foreign) ??
    stray ??
    left?.refused ??
    (await committedSecrets(lane.path, base, head)) ??
    (await judge(run, lane, changes, uncommitted));
  return {
    head,
    committed: left?.committed ?? [],
    changes,
    base,
    ...(refused !== undefined && { refused }),
  };
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
  ignored: readonly string[],
): Promise<{ committed: string[]; outside: string[]; refused?: string }> {
  const { paths } = lane.job;
  if (lane.byHand) {
    const staged = (await readStatus(lane.path)).filter(isStagedOtherwise).map(({ path }) => path);
    if (staged.length > 0) return { committed: [], outside: [], refused: staysStaged(staged) };
  }
  const request = {
    path: lane.path,
    isAllowed: (path: string) => paths.length === 0 || pathMatches(paths, path),
    isIgnored: (path: string) => ignored.includes(path),
    isSecret: (_path: string, bytes: Buffer) => secretKind(bytes),
    message: `${lane.id}: what ${lane.byHand ? 'was not committed yet' : 'the agent left uncommitted'}`,
    trailer: { key: 'AgentKit-Lane', value: lane.id },
    runHooks: true,
  };
  const left = await commitLeftovers(request).catch((error: unknown) => {
    if (!(error instanceof AgentKitError)) throw error;
    return { committed: [], outside: [], secrets: [], refused: error.message };
  });
  if (left.secrets.length > 0) {
    return {
      ...left,
      refused: `Nothing was committed: these files look like they hold a secret: ${left.secrets.join(', ')}.`,
    };
  }
  return left;
}

/** A commit of the file would lose the version that a person staged. */
function isStagedOtherwise({ index, worktree }: StatusEntry): boolean {
  return /[MAT]/.test(index) && worktree !== ' ';
}

function staysStaged(paths: readonly string[]): string {
  return `Nothing was committed: staged in another version than the folder has: ${paths.join(', ')}. Commit or stage that by hand, then run the gate again.`;
}

/** An agent that commits by itself gets a secret no further than one that leaves it lying. */
async function committedSecrets(path: string, base: string, head: string): Promise<string | undefined> {
  const found = new Set<string>();
  await findBlobs({ path, base, head }, (file, bytes) => {
    const kind = secretKind(bytes);
    if (kind !== null) found.add(`${file} (${kind})`);
  });
  if (found.size === 0) return undefined;
  const files = [...found].join(', ');
  return `Its commits hold what looks like a secret: ${files}; take it out of every commit of the lane.`;
}

/** How the last agent of a lane ended that is judged at a person's word. */
const agentEnds: Record<Exclude<AttemptState['outcome'], 'succeeded'>, string> = {
  running: '',
  stopped: '; its agent was stopped',
  failed: '; its agent failed',
  timeout: '; its agent ran out of time',
  lost: '; its agent was lost before it ended',
};

/** What its last agent was not permitted to use; empty where it was permitted all. */
async function deniedTools(run: RunContext, lane: MadeLane): Promise<readonly string[]> {
  const step = await readStep(join(run.folder, attemptFolder(lane.id, lane.attempts.length)));
  return step.result?.denied ?? [];
}

function secretKind(bytes: Buffer): string | null {
  return secretShapes(bytes.toString('utf8'))[0] ?? null;
}

async function judge(
  run: RunContext,
  lane: MadeLane,
  changes: Changes,
  uncommitted: string[],
): Promise<string | undefined> {
  const { paths, expects } = lane.job;
  if (changes.outside_paths.length > 0) {
    return `It wrote outside its paths (${paths.join(', ')}): ${changes.outside_paths.join(', ')}.`;
  }
  if (uncommitted.length > 0) return `It left uncommitted work: ${uncommitted.join(', ')}.`;
  if (expects === 'changes' && changes.files === 0) {
    const { outcome } = lane.attempts.at(-1) ?? {};
    if (outcome !== 'succeeded')
      return `Lane ${lane.id} holds no changes${outcome ? agentEnds[outcome] : ''}.`;
    const denied = await deniedTools(run, lane);
    return `The agent ended without an error but changed nothing${denied.length > 0 ? `; ${describeDenied(denied)}` : ''}.`;
  }
  if (expects === 'none' && changes.files > 0)
    return `It was to change nothing, but ${counted(changes.files, 'file')} changed.`;
  if (expects.startsWith('file:')) {
    const file = expects.slice('file:'.length);
    const found = await stat(join(lane.path, file)).catch(() => undefined);
    if (found === undefined) return `The expected file ${file} is not there.`;
  }
  return undefined;
}

import type { Action } from '../../../../../src/core/run/action.ts';
import { describeForeign } from '../../../../../src/core/run/describeForeign.ts';
import type { Worktree } from '../../../../../src/core/run/runEvent.ts';
import { attemptFolder } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import { collectCheck, endGate, startGate } from './actGate.ts';
import { applyMerge, planMerge, stopMerge } from './actMerge.ts';
import { closeLane } from './actClosing.ts';
import { collectSetup, createLane, startSetup } from './actSetup.ts';
import { collectAttempt, launchStep, stopStep } from './actStep.ts';
import type { Owner } from './owner.ts';
import { goesWell } from './scenario.ts';
import type { World } from './world.ts';

export type Doing = Generator<undefined, void>;

/** Mirrors engine/conductor: every `yield` is a place where the owner can die, before, between and after effects. */
export function* act(owner: Owner, action: Action): Doing {
  yield;
  switch (action.do) {
    case 'append':
      for (const event of action.events) if (event.type === 'lane.blocked') free(owner, event.lane);
      yield;
      owner.append(...action.events);
      break;
    case 'assign':
      yield* assign(owner, action);
      break;
    case 'createLane':
      yield* createLane(owner, action.lane);
      break;
    case 'startSetup':
      startSetup(owner, action.lane);
      break;
    case 'collectSetup':
      yield* collectSetup(owner, action.lane, action.folder);
      break;
    case 'closeLane':
      yield* closeLane(owner, action.lane);
      break;
    case 'startAttempt':
      yield* startAttempt(owner, action.lane);
      break;
    case 'launchStep':
      yield* launchStep(owner, action.lane, action.folder);
      break;
    case 'stopStep':
      yield* stopStep(owner, action);
      break;
    case 'collectAttempt':
      yield* collectAttempt(owner, action.lane, action.folder);
      break;
    case 'settle':
      yield* settle(owner, action.lane);
      break;
    case 'startGate':
      startGate(owner, action.lane, action.subject);
      break;
    case 'collectCheck':
      collectCheck(owner, action.lane, action.folder);
      break;
    case 'endGate':
      endGate(owner, action.lane);
      break;
    case 'planMerge':
      yield* planMerge(owner, action.lane, action.request);
      break;
    case 'applyMerge':
      yield* applyMerge(owner, action.lane);
      break;
    case 'readSpend':
      owner.append({ type: 'run.spent', accounts: [] });
      break;
    case 'stopMerge':
      yield* stopMerge(owner, action.lane);
      break;
  }
  yield;
}

export function take(owner: Owner, lane: string, account: string): boolean {
  const next = attemptFolder(lane, laneOf(owner.state, lane).attempts.length + 1);
  return owner.world.takeLease(account, lane, next);
}

export function free(owner: Owner, lane: string): void {
  owner.world.releaseLeases(lane);
}

function* assign(owner: Owner, { lane, account, headroom_pct }: Extract<Action, { do: 'assign' }>): Doing {
  if (!take(owner, lane, account)) return;
  yield;
  const { worktree: made, intended, job } = laneOf(owner.state, lane);
  const worktree = made ?? intended ?? place(owner.world, lane, job.depends_on.length > 0);
  yield;
  owner.append({ type: 'lane.assigned', lane, account, headroom_pct, worktree });
}

/** A new worktree of a lane; a job that comes after others starts on the target. */
export function place(world: World, lane: string, onTarget: boolean): Worktree {
  const nonce = `n${world.name()}`;
  const base = onTarget ? world.target : 't0';
  return { branch: `lane/${lane}`, path: `/${lane}-${nonce}`, base, nonce };
}

function* startAttempt(owner: Owner, id: string): Doing {
  const { account = '', attempts, next } = laneOf(owner.state, id);
  const taken = take(owner, id, account);
  yield;
  const n = attempts.length + 1;
  if (taken) owner.append({ type: 'attempt.started', lane: id, attempt: n, account, ...(next && { next }) });
  else owner.append({ type: 'lane.reopened', lane: id, to: 'queued' });
}

/** Commits what the agent left; done twice, there is nothing left to commit. */
function* settle(owner: Owner, id: string): Doing {
  const { world } = owner;
  const { attempts, worktree, foreign, byHand } = laneOf(owner.state, id);
  world.git.commitAll(worktree?.path ?? '');
  yield;
  const head = world.tip(id) ?? '';
  const changes = { files: 1, insertions: 1, deletions: 0, commits: 1, outside_paths: [] };
  const fine = byHand || goesWell(world.scenario, 'settle', `${id} ${attempts.length}`);
  const why =
    describeForeign(id, foreign) ?? (fine && head !== worktree?.base ? undefined : world.scenario.text);
  const refused = why === undefined ? {} : { refused: why };
  owner.append({ type: 'lane.settled', lane: id, head, committed: [], changes, ...refused });
}

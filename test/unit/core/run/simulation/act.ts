import type { Action } from '../../../../../src/core/run/action.ts';
import { attemptFolder } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import { collectCheck, endGate, startGate } from './actGate.ts';
import { applyMerge, planMerge, stopMerge } from './actMerge.ts';
import { closeLane } from './actClosing.ts';
import { collectSetup, startSetup } from './actSetup.ts';
import { collectAttempt, launchStep, stopStep } from './actStep.ts';
import type { Owner } from './owner.ts';
import { goesWell } from './scenario.ts';

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
  const known = laneOf(owner.state, lane).worktree ?? laneOf(owner.state, lane).intended;
  const worktree = known ?? { branch: `lane/${lane}`, path: `/${lane}`, base: owner.world.target, nonce: '' };
  yield;
  owner.append({ type: 'lane.assigned', lane, account, headroom_pct, worktree });
}

function* createLane(owner: Owner, id: string): Doing {
  const { world } = owner;
  const lane = laneOf(owner.state, id);
  if (!goesWell(world.scenario, 'create', `${id} ${lane.attempts.length}`)) {
    free(owner, id);
    yield;
    return owner.append({ type: 'lane.blocked', lane: id, message: 'the folder is not ours' });
  }
  if (!world.tips.has(id)) world.tips.set(id, lane.intended?.base ?? 't0');
  yield;
  owner.append({ type: 'lane.created', lane: id, warnings: [] });
}

function* startAttempt(owner: Owner, id: string): Doing {
  const { account = '', attempts } = laneOf(owner.state, id);
  const taken = take(owner, id, account);
  yield;
  if (taken) owner.append({ type: 'attempt.started', lane: id, attempt: attempts.length + 1, account });
  else owner.append({ type: 'lane.reopened', lane: id, to: 'queued' });
}

/** Commits what the agent left; done twice, there is nothing left to commit. */
function* settle(owner: Owner, id: string): Doing {
  const { world } = owner;
  const { attempts, worktree } = laneOf(owner.state, id);
  if (world.tips.get(id) === worktree?.base) world.tips.set(id, world.commit(worktree?.base ?? 't0'));
  yield;
  const head = world.tips.get(id) ?? '';
  const changes = { files: 1, insertions: 1, deletions: 0, commits: 1, outside_paths: [] };
  const fine = goesWell(world.scenario, 'settle', `${id} ${attempts.length}`);
  const refused = fine ? {} : { refused: 'It wrote outside its paths.' };
  owner.append({ type: 'lane.settled', lane: id, head, committed: [], changes, ...refused });
}

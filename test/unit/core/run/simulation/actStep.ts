import type { Action } from '../../../../../src/core/run/action.ts';
import { exclusionOf, failOver, type AttemptEnded } from '../../../../../src/core/run/failOver.ts';
import { runningGate } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import { free, type Doing } from './act.ts';
import type { Limit } from '../../../../../src/core/accounts/refusal.ts';
import type { Owner } from './owner.ts';
import { attemptFate, goesWell } from './scenario.ts';
import type { World } from './world.ts';

/** An agent starts only under its lease: after a crash somebody else may have the account. */
export function* launchStep(owner: Owner, id: string, folder: string): Doing {
  const { world } = owner;
  const lane = laneOf(owner.state, id);
  const gate = runningGate(lane);
  const { account = '' } = lane;
  const isAgent = lane.state === 'running' || lane.state === 'waiting';
  if (isAgent && !world.takeLease(account, id, folder)) {
    const message = 'Its account was taken before the agent began.';
    const ended = { type: 'attempt.ended', lane: id, attempt: lane.attempts.length } as const;
    return owner.append(
      { ...ended, outcome: 'lost', exit: null, message },
      { type: 'lane.reopened', lane: id, to: 'queued' },
    );
  }
  yield;
  // Somebody may have begun it since it was decided; what became of it shows at the next look.
  if (world.processes.fact(folder).state !== 'absent') return;
  const task = isAgent ? { account } : { subject: gate?.subject ?? ('setup' as const) };
  const step = world.processes.at(folder, { lane: id, ...task });
  yield;
  step.spawned += 1;
  yield;
  step.recorded = true;
}

export function* stopStep(owner: Owner, action: Extract<Action, { do: 'stopStep' }>): Doing {
  const step = owner.world.processes.all.get(action.folder);
  if (step !== undefined) step.stopFile = true;
  yield;
  if (action.answer.length > 0) owner.append(...action.answer);
}

/** Half of the vendors tell when a limit is over. */
function limitOf({ scenario }: World, folder: string): Limit {
  return goesWell(scenario, 'reset', folder) ? { resets_at: '2026-03-02T20:00:00.000Z' } : {};
}

export function* collectAttempt(owner: Owner, lane: string, folder: string): Doing {
  const { world } = owner;
  const { result, stopFile } = world.processes.at(folder, { lane });
  yield;
  const record = laneOf(owner.state, lane);
  const { account = '', worktree } = record;
  const outcome = (result ?? 'lost') as AttemptEnded['outcome'];
  const { why } = attemptFate(world.scenario, folder);
  const limit = why === 'limit' && outcome === 'failed' ? limitOf(world, folder) : undefined;
  const refused =
    why === 'account' && outcome === 'failed'
      ? ({ reason: 'billing', message: world.scenario.text } as const)
      : undefined;
  const excludes = exclusionOf(account, { limit, refused, outcome });
  const change = { what: 'config', name: 'core.bare', message: world.scenario.text } as const;
  const ended: AttemptEnded = {
    type: 'attempt.ended',
    lane,
    attempt: record.attempts.length,
    outcome,
    exit: null,
    session_id: `s ${folder}`,
    ...(limit && { limit }),
    ...(outcome !== 'succeeded' && { message: world.scenario.text }),
    ...(excludes && { excludes }),
    ...(!goesWell(world.scenario, 'foreign', folder) && { foreign: [change] }),
  };
  const clean = world.git.dirty(worktree?.path ?? '').length === 0;
  const untouched = clean && world.tip(lane) === (record.head ?? worktree?.base);
  const known = {
    left: { clean, untouched },
    mayContinue: goesWell(world.scenario, 'continue', folder) || world.scenario.text,
    unanswered: outcome === 'stopped' && !stopFile,
  };
  yield;
  free(owner, lane);
  yield;
  owner.append(...failOver(owner.state, record, ended, known));
}

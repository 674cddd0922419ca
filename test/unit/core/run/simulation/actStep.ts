import type { Action } from '../../../../../src/core/run/action.ts';
import { runningGate } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import { free, type Doing } from './act.ts';
import type { Owner } from './owner.ts';

/** An agent starts only under its lease: after a crash somebody else may have the account. */
export function* launchStep(owner: Owner, id: string, folder: string): Doing {
  const { world } = owner;
  const lane = laneOf(owner.state, id);
  const gate = runningGate(lane);
  const { account = '' } = lane;
  if (gate === undefined && !world.takeLease(account, id, folder)) {
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
  const task = gate === undefined ? { account } : { subject: gate.subject };
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

export function* collectAttempt(owner: Owner, lane: string, folder: string): Doing {
  const { result } = owner.world.processes.at(folder, { lane });
  yield;
  free(owner, lane);
  yield;
  const attempt = laneOf(owner.state, lane).attempts.length;
  const outcome = (result ?? 'lost') as 'succeeded' | 'failed' | 'stopped' | 'lost';
  owner.append({
    type: 'attempt.ended',
    lane,
    attempt,
    outcome,
    exit: null,
    ...(outcome !== 'succeeded' && { message: outcome }),
  });
}

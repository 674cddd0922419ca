import type { Action } from '../../../../../src/core/run/action.ts';
import { exclusionOf, failOver } from '../../../../../src/core/run/failOver.ts';
import { runningGate } from '../../../../../src/core/run/stepFolders.ts';
import { laneOf } from '../samples.ts';
import { free, type Doing } from './act.ts';
import type { Owner } from './owner.ts';
import { goesWell } from './scenario.ts';

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
  const record = laneOf(owner.state, lane);
  const tip = owner.world.tips.get(lane);
  yield;
  free(owner, lane);
  yield;
  const attempt = record.attempts.length;
  const outcome = (result ?? 'lost') as 'succeeded' | 'failed' | 'stopped' | 'lost';
  const isLimited = outcome === 'failed' && !goesWell(owner.world.scenario, 'quota', folder);
  const excludes = isLimited ? exclusionOf(record.account ?? '', { limit: {} }) : undefined;
  const ended = {
    type: 'attempt.ended',
    lane,
    attempt,
    outcome,
    exit: null,
    ...(outcome !== 'succeeded' && { message: outcome }),
    ...(excludes !== undefined && { excludes }),
  } as const;
  const left = { clean: true, untouched: tip === (record.head ?? record.worktree?.base) };
  const known = { left, mayContinue: 'no', unanswered: false };
  owner.append(...failOver(owner.state, record, ended, known));
}

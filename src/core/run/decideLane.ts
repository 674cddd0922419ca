import type { CheckResult, GateStatus } from '../gates/finding.ts';
import { isSameWaiting } from '../lanes/waiting.ts';
import type { Action } from './action.ts';
import type { Facts, StepFact } from './facts.ts';
import type { RunEventBody } from './runEvent.ts';
import type { GateState, LaneRecord, RunState } from './runState.ts';
import { worktreeOf } from './ownSettings.ts';
import { pendingStep, runningGate, runningSetup, setupOf } from './stepFolders.ts';

/** The next step of one lane that is being worked on. */
export function decideLane(state: RunState, lane: LaneRecord, facts: Facts): Action[] {
  if (lane.closing !== undefined) return [{ do: 'closeLane', lane: lane.id }];
  switch (lane.state) {
    case 'preparing':
      return prepare(state, lane, facts);
    case 'running':
    case 'waiting':
      return watchStep(state, lane, facts, 'collectAttempt');
    case 'verifying':
      return lane.settled ? verify(state, lane, facts, 'lane') : [{ do: 'settle', lane: lane.id }];
    case 'merging':
      return merge(state, lane, facts);
    case 'failed':
      return goOnAtLimit(state, lane);
    case 'queued':
    case 'open':
    case 'passed':
    case 'reviewing':
    case 'ready':
    case 'merged':
    case 'interrupted':
    case 'blocked':
    case 'dropped':
      return [];
  }
}

function prepare(state: RunState, lane: LaneRecord, facts: Facts): Action[] {
  const folder = pendingStep(lane, state.plan);
  const step = folder === undefined ? undefined : facts.steps[folder];
  if (step !== undefined && step.state !== 'absent') return watchStep(state, lane, facts, 'collectSetup');
  if (state.status === 'stopping') {
    const message = 'The run was stopped before its agent began.';
    return [
      {
        do: 'append',
        key: lane.id,
        events: [{ type: 'lane.blocked', lane: lane.id, message, deferred: true }],
      },
    ];
  }
  if (!facts.startNew) return [];
  if (!lane.prepared) return [{ do: 'createLane', lane: lane.id }];
  if (step !== undefined) return watchStep(state, lane, facts, 'collectSetup');
  if (folder !== undefined) return [];
  if (needsSetup(state, lane)) return [{ do: 'startSetup', lane: lane.id }];
  if (lane.byHand && lane.attempts.length === 0)
    return [{ do: 'append', key: lane.id, events: [{ type: 'lane.opened', lane: lane.id }] }];
  return [{ do: 'startAttempt', lane: lane.id }];
}

/** Whether commands are to run in its worktree, or in the one with its merged tree, before anything else does there. */
export function needsSetup(state: RunState, lane: LaneRecord): boolean {
  const commands = worktreeOf(state, lane)?.setup.length ?? 0;
  const setup = setupOf(lane);
  return commands > 0 && (setup?.status !== 'running' || setup.done < commands);
}

/** What its agent had done before the limit did not pass its gate: the plan's `on_limit` decides, as without a gate. */
function goOnAtLimit(state: RunState, { id, limited, next }: LaneRecord): Action[] {
  if (!limited || state.status !== 'running') return [];
  const how = next === undefined ? { anew: true as const } : { next };
  return [{ do: 'append', key: id, events: [{ type: 'lane.reopened', lane: id, to: 'queued', ...how }] }];
}

/** Starts, stops or collects the process that a lane waits for. */
function watchStep(
  state: RunState,
  lane: LaneRecord,
  facts: Facts,
  collect: 'collectAttempt' | 'collectCheck' | 'collectSetup',
): Action[] {
  const folder = pendingStep(lane, state.plan);
  const step = folder === undefined ? undefined : facts.steps[folder];
  if (folder === undefined || step === undefined) return [];
  switch (step.state) {
    case 'ended':
    case 'lost':
      return [{ do: collect, lane: lane.id, folder }];
    case 'absent':
      return [{ do: 'launchStep', lane: lane.id, folder }];
    case 'starting':
    case 'running':
      return state.status === 'stopping' && !step.stopping
        ? [{ do: 'stopStep', lane: lane.id, folder, answer: [] }]
        : collect === 'collectAttempt'
          ? noteWaiting(lane, step)
          : [];
  }
}

/** Writes down that the agent began to wait for a person, waits for something else, or goes on. */
function noteWaiting(lane: LaneRecord, { waiting }: StepFact): Action[] {
  if (isSameWaiting(lane.waiting, waiting)) return [];
  const { id } = lane;
  const event: RunEventBody =
    waiting === undefined
      ? { type: 'lane.continued', lane: id }
      : { type: 'lane.waiting', lane: id, ...waiting };
  return [{ do: 'append', key: id, events: [event] }];
}

function verify(state: RunState, lane: LaneRecord, facts: Facts, subject: 'lane' | 'merge'): Action[] {
  const gate = runningGate(lane);
  if (gate === undefined) return [{ do: 'startGate', lane: lane.id, subject }];
  if (pendingStep(lane, state.plan) === undefined) return [{ do: 'endGate', lane: lane.id }];
  return watchStep(state, lane, facts, 'collectCheck');
}

function merge(state: RunState, lane: LaneRecord, facts: Facts): Action[] {
  if (lane.merge?.status === 'stopping' || state.status === 'stopping') return stopMerge(state, lane, facts);
  if (!facts.mayMerge) return [];
  const gate = lane.mergeGate;
  if (gate === undefined && needsSetup(state, lane)) return setUpMerge(state, lane, facts);
  if (gate === undefined || gate.status === 'running') return verify(state, lane, facts, 'merge');
  if (gate.status === 'passed') return [{ do: 'applyMerge', lane: lane.id }];
  return refuseMerge(lane, `The gate ${wordFor(gate.status)} on the merged tree: ${failingChecks(gate)}.`);
}

/** The merged tree is set up as the lane was, each time that one is judged. */
function setUpMerge(state: RunState, lane: LaneRecord, facts: Facts): Action[] {
  const setup = setupOf(lane);
  if (setup === undefined) return [{ do: 'startSetup', lane: lane.id }];
  if (setup.status === 'running') return watchStep(state, lane, facts, 'collectSetup');
  return refuseMerge(lane, `The merged tree could not be set up: ${setup.message}`);
}

function refuseMerge({ id, merge }: LaneRecord, reason: string): Action[] {
  const request = merge?.request ?? '';
  return [
    { do: 'append', key: id, events: [{ type: 'merge.refused', lane: id, request, reasons: [reason] }] },
  ];
}

/** Ends the command or check that runs, if one does; then the merge is given up, whatever its checks said so far. */
function stopMerge(state: RunState, lane: LaneRecord, facts: Facts): Action[] {
  const folder = pendingStep(lane, state.plan);
  const step = folder === undefined ? undefined : facts.steps[folder];
  if (folder === undefined || step?.state === 'absent') return [{ do: 'stopMerge', lane: lane.id }];
  if (step === undefined) return [];
  const collect = runningSetup(lane, state.plan) === undefined ? 'collectCheck' : 'collectSetup';
  if (step.state === 'ended' || step.state === 'lost') return [{ do: collect, lane: lane.id, folder }];
  return step.stopping ? [] : [{ do: 'stopStep', lane: lane.id, folder, answer: [] }];
}

/** The checks that did not pass, each with why. */
export function failingChecks(gate: GateState): string {
  const failing = gate.checks.filter(({ status }) => status !== 'passed');
  if (failing.length === 0) return gate.message ?? 'no check ran';
  return failing.map((check) => `${check.name} (${whyFailed(check)})`).join(', ');
}

function whyFailed({ findings, more_findings, message, status }: CheckResult): string {
  const count = findings.length + more_findings;
  if (count > 0) return count === 1 ? '1 finding' : `${count} findings`;
  return message ?? status;
}

function wordFor(status: Exclude<GateStatus, 'none' | 'running' | 'passed'>): string {
  return { failed: 'failed', timeout: 'did not end in time', interrupted: 'was interrupted' }[status];
}

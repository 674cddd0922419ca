import type { CheckStatus } from '../../../../../src/core/gates/finding.ts';
import { runningGate } from '../../../../../src/core/run/stepFolders.ts';
import type { GateState } from '../../../../../src/core/run/runState.ts';
import { laneOf } from '../samples.ts';
import type { Owner } from './owner.ts';

export function startGate(owner: Owner, id: string, subject: 'lane' | 'merge'): void {
  const lane = laneOf(owner.state, id);
  const head = subject === 'merge' ? lane.merge?.made?.commit : lane.head;
  if (head === undefined) throw new Error(`lane ${id} has no commit to check`);
  owner.append({ type: 'gate.started', lane: id, gate: lane.gates + 1, subject, head });
}

export function collectCheck(owner: Owner, lane: string, folder: string): void {
  const status = (owner.world.processes.at(folder, { lane }).result ?? 'interrupted') as CheckStatus;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const measured = { exit: null, duration_s: 0, findings: [], more_findings: 0 };
  const gate = gateOf(owner, lane).n;
  owner.append({ type: 'check.ended', lane, gate, result: { name, status, ...measured } });
}

/** Every check passed, and what was checked still stands where it did. */
export function endGate(owner: Owner, lane: string): void {
  const gate = gateOf(owner, lane);
  const { world } = owner;
  const clean = world.git.dirty(world.pathOf(lane) ?? '').length === 0;
  const stands =
    gate.subject === 'merge' ? world.mergeTree === gate.head : world.tip(lane) === gate.head && clean;
  const bad = gate.checks.find(({ status }) => status !== 'passed');
  const passed = gate.checks.length > 0 && stands;
  const status = bad?.status ?? (passed ? 'passed' : 'failed');
  const message = status === 'passed' ? {} : { message: world.scenario.text };
  owner.append({ type: 'gate.ended', lane, gate: gate.n, status, left: [], ...message });
}

function gateOf(owner: Owner, id: string): GateState {
  const gate = runningGate(laneOf(owner.state, id));
  if (gate === undefined) throw new Error(`no gate of lane ${id} is under way`);
  return gate;
}

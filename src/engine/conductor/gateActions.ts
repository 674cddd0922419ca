import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CheckResult } from '../../core/gates/finding.ts';
import { judgeCheck } from '../../core/gates/judgeCheck.ts';
import { failingChecks } from '../../core/run/decideLane.ts';
import { gateOf as checksOf } from '../../core/run/ownSettings.ts';
import { runningGate, setupOf } from '../../core/run/stepFolders.ts';
import type { GateState, LaneRecord } from '../../core/run/runState.ts';
import { laneFacts } from '../git/laneFacts.ts';
import { restoreMergeWorktree } from '../git/mergeWorktree.ts';
import { collectStep } from './collectStep.ts';
import { describeLeftovers, isPlaced, moveLeftoversAside } from './leftovers.ts';
import type { RunContext } from './runContext.ts';
import { made } from './settleLane.ts';
import { stepPlace } from './stepPlace.ts';

export async function startGate(run: RunContext, laneId: string, subject: 'lane' | 'merge'): Promise<void> {
  const lane = run.lane(laneId);
  const head = subject === 'merge' ? lane.merge?.made?.commit : lane.head;
  if (head === undefined) throw new Error(`Lane ${laneId} has no commit to check`);
  // What an earlier gate left must not be why this one passes, nor what a setup did to the files that are judged.
  if (subject === 'lane') await moveLeftoversAside(run, made(lane));
  else if (setupOf(lane) !== undefined) await restoreMergeWorktree(stepPlace(run, lane).path, head);
  await run.append({ type: 'gate.started', lane: laneId, gate: lane.gates + 1, subject, head });
}

/** Reads what a check printed and how it ended. A check whose supervisor died counts as interrupted. */
export async function collectCheck(run: RunContext, laneId: string, folder: string): Promise<void> {
  const gate = gateOf(run, laneId);
  const name = basename(folder);
  const check = checksOf(run.state(), run.lane(laneId)).find((each) => each.name === name);
  if (check === undefined) throw new Error(`There is no check ${name} in the gate`);
  const step = await collectStep(join(run.folder, folder));
  const output = await readFile(join(run.folder, folder, 'output.log'), 'utf8').catch(() => '');
  const result: CheckResult =
    step.result === undefined
      ? {
          name,
          status: 'interrupted',
          exit: null,
          duration_s: 0,
          findings: [],
          more_findings: 0,
          message: 'its supervisor died',
        }
      : judgeCheck(check, step.result, output, stepPlace(run, run.lane(laneId)).path);
  const strays = step.strays.length > 0 && { strays: step.strays };
  await run.append({ type: 'check.ended', lane: laneId, gate: gate.n, result, ...strays });
}

/** The gate's answer: every check passed, and the tree that was checked is still what it was. */
export async function endGate(run: RunContext, laneId: string): Promise<void> {
  const gate = gateOf(run, laneId);
  const lane = run.lane(laneId);
  const { path } = stepPlace(run, lane);
  const isLane = gate.subject === 'lane';
  const facts = await laneFacts({ path, branch: isLane ? made(lane).branch : null });
  // The worktree with a merged tree is emptied of what it holds besides before it is used again.
  const untracked = isLane ? facts.untracked.filter((file) => !isPlaced(lane, file)) : [];
  const left = await describeLeftovers(path, untracked);
  const changed = facts.dirty.filter((file) => !facts.untracked.includes(file));
  const { status, message } = judgeGate(lane, gate, facts, changed);
  await run.append({
    type: 'gate.ended',
    lane: laneId,
    gate: gate.n,
    status,
    left,
    ...(message !== undefined && { message }),
  });
}

function judgeGate(
  lane: LaneRecord,
  gate: GateState,
  facts: { head: string; branchTip: string | null },
  changed: string[],
): { status: 'passed' | 'failed' | 'timeout' | 'interrupted'; message?: string } {
  const bad = gate.checks.find(({ status }) => status !== 'passed');
  if (gate.checks.length === 0) return { status: 'failed', message: noChecks(lane) };
  if (bad !== undefined) {
    const status = bad.status === 'passed' ? 'failed' : bad.status;
    return { status, message: `The gate did not pass: ${failingChecks(gate)}.` };
  }
  if (facts.head !== gate.head || (facts.branchTip !== null && facts.branchTip !== gate.head)) {
    return { status: 'failed', message: 'The lane moved to another commit while its gate ran.' };
  }
  if (changed.length > 0)
    return { status: 'failed', message: `The gate changed tracked files: ${changed.join(', ')}.` };
  return { status: 'passed' };
}

/** Only lanes by hand come so far: a plan does not begin without checks. Theirs are those of the commit they began from. */
function noChecks({ id, worktree }: LaneRecord): string {
  const branch = worktree?.branch ?? id;
  return `The gate has no checks, so nothing has passed: the commit that lane ${id} began from names none. Commit a gate in agentkit.yaml, make a lane from that commit (ak lane create NAME --base COMMIT), and bring this one's work there: git merge ${branch}`;
}

function gateOf(run: RunContext, laneId: string): GateState {
  const gate = runningGate(run.lane(laneId));
  if (gate === undefined) throw new Error(`No gate of lane ${laneId} is under way`);
  return gate;
}

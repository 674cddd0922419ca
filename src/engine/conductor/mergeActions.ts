import { AgentKitError } from '../../core/agentKitError.ts';
import type { Request } from '../../core/run/request.ts';
import { applyMerge } from '../git/applyMerge.ts';
import { laneFacts } from '../git/laneFacts.ts';
import { planMerge } from '../git/planMerge.ts';
import { prepareMergeTree } from '../git/prepareMergeTree.ts';
import type { RunContext } from './runContext.ts';
import { made, strayReason, type MadeLane } from './settleLane.ts';

type MergeRequest = Extract<Request, { do: 'merge' }>;

/** Builds the merged tree in the merge worktree, or refuses with every reason that is known. */
export async function planLaneMerge(run: RunContext, laneId: string, request: MergeRequest): Promise<void> {
  const lane = made(run.lane(laneId));
  const { repository, laneRoot } = run;
  const refuse = (...reasons: string[]) =>
    run.append({ type: 'merge.refused', lane: laneId, request: request.id, reasons });
  const stale = await staleReasons(lane);
  if (stale.length > 0) return refuse(...stale);
  const head = lane.gate?.head ?? '';
  const target = run.state().target;
  const plan = await planMerge({ ...repository, target: target.ref, head });
  if (plan.from !== null && plan.from !== target.sha) {
    await run.append({ type: 'target.moved', target: target.ref, from: target.sha, to: plan.from });
  }
  if (plan.from === null || plan.whyNot.length > 0) return refuse(...plan.whyNot);
  if (request.expect !== undefined && request.expect !== plan.from) {
    return refuse(
      `${target.ref} moved to ${plan.from.slice(0, 10)} since this merge was shown; look at it again.`,
    );
  }
  const message = `Merge lane ${laneId}\n\nAgentKit-Lane: ${laneId}\n`;
  const tree = await prepareMergeTree({
    ...repository,
    laneRoot,
    target: target.ref,
    from: plan.from,
    head,
    message,
    run: run.state().run,
  });
  await run.append({
    type: 'merge.planned',
    lane: laneId,
    request: request.id,
    target: target.ref,
    from: plan.from,
    head,
    commit: tree.commit,
    tree: tree.tree,
  });
}

/** Why the lane is not what its gate passed on. */
export async function staleReasons(lane: MadeLane): Promise<string[]> {
  if (lane.gate?.status !== 'passed') return [`The gate of lane ${lane.id} has not passed.`];
  const facts = await laneFacts(lane);
  const stray = strayReason(lane, facts);
  if (stray !== undefined) return [stray];
  if (facts.head !== lane.gate.head) {
    return [
      `Lane ${lane.id} moved to ${facts.head.slice(0, 10)} after its gate passed on ${lane.gate.head.slice(0, 10)}; run the gate again.`,
    ];
  }
  const dirty = facts.dirty.filter((path) => !lane.leftByGate.includes(path));
  return dirty.length > 0 ? [`Lane ${lane.id} has uncommitted work: ${dirty.join(', ')}.`] : [];
}

/** Moves the target to the merged commit whose tree passed the gate, if it still stands where we saw it. */
export async function applyLaneMerge(run: RunContext, laneId: string): Promise<void> {
  const { merge } = run.lane(laneId);
  if (merge?.made === undefined) throw new Error(`No merge of lane ${laneId} was planned`);
  const { target, from, commit } = merge.made;
  try {
    await applyMerge({ root: run.repository.root, target, from, commit });
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return run.append({
      type: 'merge.refused',
      lane: laneId,
      request: merge.request,
      reasons: [error.message],
    });
  }
  return run.append({ type: 'merge.applied', lane: laneId, target, from, to: commit });
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Request } from '../../core/run/request.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { applyMerge } from '../git/applyMerge.ts';
import { laneFacts } from '../git/laneFacts.ts';
import { planMerge } from '../git/planMerge.ts';
import { prepareMergeTree } from '../git/prepareMergeTree.ts';
import { tipOf } from '../git/resolveBase.ts';
import { tipThatHas } from '../git/tipThatHas.ts';
import { requestStop } from '../process/steps.ts';
import { equipMergeTree } from './equipMergeTree.ts';
import { notWork } from './leftovers.ts';
import type { RunContext } from './runContext.ts';
import { made, strayReason, type MadeLane } from './settleLane.ts';

type MergeRequest = Extract<Request, { do: 'merge' }>;

/** Builds the merged tree in the merge worktree, or refuses with every reason that is known. */
export async function planLaneMerge(run: RunContext, laneId: string, request: MergeRequest): Promise<void> {
  const lane = made(run.lane(laneId));
  const { repository, laneRoot } = run;
  const refuse = (...reasons: string[]) =>
    run.append({ type: 'merge.refused', lane: laneId, request: request.id, reasons });
  const stale = await staleReasons(lane, repository.root, run.state().target.ref);
  if (stale.length > 0) return refuse(...stale);
  const head = lane.gate?.head ?? '';
  const target = run.state().target;
  const contained = await tipThatHas(repository.root, target.ref, head);
  if (contained !== null) {
    const merged = { lane: laneId, target: target.ref, from: contained, to: contained };
    await noteTarget(run, contained);
    return run.append({ type: 'merge.applied', ...merged });
  }
  const plan = await planMerge({ ...repository, target: target.ref, head });
  if (plan.from !== null) await noteTarget(run, plan.from);
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
  const { ports, warnings } = await equipMergeTree(run, lane, tree.path);
  await run.append({
    type: 'merge.planned',
    lane: laneId,
    request: request.id,
    target: target.ref,
    from: plan.from,
    head,
    commit: tree.commit,
    tree: tree.tree,
    ports,
    ...(warnings.length > 0 && { warnings }),
  });
}

/** Writes down where the target stands when somebody else has moved it. */
async function noteTarget(run: RunContext, to: string): Promise<void> {
  const { ref, sha } = run.state().target;
  if (to !== sha) await run.append({ type: 'target.moved', target: ref, from: sha, to });
}

/** Why the lane is not what its gate passed on. */
export async function staleReasons(lane: MadeLane, root: string, target: string): Promise<string[]> {
  if (lane.gate?.status !== 'passed') return [`The gate of lane ${lane.id} has not passed.`];
  if (!existsSync(lane.path)) return goneReasons(lane, root, target, lane.gate.head);
  const facts = await laneFacts(lane);
  const stray = strayReason(lane, facts);
  if (stray !== undefined) return [stray];
  if (facts.head !== lane.gate.head) {
    return [
      `Lane ${lane.id} moved to ${facts.head.slice(0, 10)} after its gate passed on ${lane.gate.head.slice(0, 10)}; run the gate again.`,
    ];
  }
  const left = await notWork(lane, facts.untracked);
  const dirty = facts.dirty.filter((path) => !left.includes(path));
  return dirty.length > 0 ? [`Lane ${lane.id} has uncommitted work: ${dirty.join(', ')}.`] : [];
}

/** A worktree that was cleaned up hides no work from its lane's merge while the commits are where the gate saw them. */
async function goneReasons(lane: MadeLane, root: string, target: string, head: string): Promise<string[]> {
  const tip = await tipOf(root, lane.branch);
  if (tip === head || (tip === null && (await tipThatHas(root, target, head)) !== null)) return [];
  const where = tip === null ? 'is gone too' : `stands at ${tip.slice(0, 10)}, where no gate has passed`;
  return [`The worktree ${lane.path} is gone, and its branch ${lane.branch} ${where}.`];
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

/** Gives a merge up before its target moves. One whose target had moved when the owner before us died is merged. */
export async function stopLaneMerge(run: RunContext, laneId: string): Promise<void> {
  const lane = run.lane(laneId);
  const { merge } = lane;
  if (merge?.made === undefined) throw new Error(`No merge of lane ${laneId} was planned`);
  // A supervisor that was spawned a moment ago and is not seen yet does not begin any more.
  const step = pendingStep(lane, run.state().plan);
  if (step !== undefined) await requestStop(join(run.folder, step));
  const { target, from, commit } = merge.made;
  if ((await tipThatHas(run.repository.root, target, commit)) !== null)
    return run.append({ type: 'merge.applied', lane: laneId, target, from, to: commit });
  const reasons = ['The merge was stopped before the target moved.'];
  return run.append({ type: 'merge.refused', lane: laneId, request: merge.request, reasons });
}

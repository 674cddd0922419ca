import { AgentKitError } from '../../core/agentKitError.ts';
import type { MergePlan } from '../agentKitTypes.ts';
import { noTarget, whyNoTarget } from '../../core/run/noTarget.ts';
import { gateOf, worktreeOf } from '../../core/run/ownSettings.ts';
import { staleReasons } from '../conductor/mergeActions.ts';
import { made } from '../conductor/settleLane.ts';
import { planMerge } from '../git/planMerge.ts';
import { tipThatHas } from '../git/tipThatHas.ts';
import { isAlive } from '../process/identity.ts';
import type { FoundLane } from './laneFinder.ts';
import { isUnmergedAtRest } from './laneOnDisk.ts';

/** What merging a lane would do now; changes nothing. */
export async function previewMerge(
  repository: { root: string; commonDir: string },
  found: FoundLane,
): Promise<MergePlan> {
  const { record, state, view } = found;
  const target = state.target.ref;
  const gate = gateOf(state, record).map(({ name, run }) => ({ name, run }));
  const setup = worktreeOf(state, record)?.setup ?? [];
  const base = { lane: record.id, target, strategy: 'merge' as const, setup, gate };
  const nothing = { commits: [], files: [], conflicts: [] };
  // A merge that its owner left behind goes on with whoever asks for it next.
  const { made: begun } = record.merge ?? {};
  const isLeft = state.owner === undefined || !isAlive(state.owner);
  if (record.state === 'merging' && begun !== undefined && isLeft)
    return { ...base, ...nothing, from: begun.from, head: begun.head, whyNot: [] };
  if (target === noTarget)
    return {
      ...base,
      ...nothing,
      from: state.target.sha,
      head: record.head ?? '',
      whyNot: [whyNoTarget(record.worktree?.branch)],
    };
  if (record.state !== 'ready') {
    const whyNot = [`Lane ${record.id} is ${record.state}.`, ...record.reasons];
    const head = record.head ?? '';
    const holds = isUnmergedAtRest(view) && head !== '';
    const plan = holds ? await planMerge({ ...repository, target, head }).catch(noPlan) : undefined;
    const { commits, files, conflicts } = plan ?? nothing;
    return { ...base, commits, files, conflicts, from: plan?.from ?? state.target.sha, head, whyNot };
  }
  const lane = made(record);
  const head = lane.gate?.head ?? '';
  const stale = await staleReasons(lane, repository.root, target);
  const contained = await tipThatHas(repository.root, target, head);
  if (contained !== null) return { ...base, ...nothing, from: contained, head, whyNot: stale };
  const plan = await planMerge({ ...repository, target, head });
  return {
    ...base,
    from: plan.from ?? state.target.sha,
    head,
    commits: plan.commits,
    files: plan.files,
    conflicts: plan.conflicts,
    whyNot: [...stale, ...plan.whyNot],
  };
}

/** That it is not ready is reason enough; what it would bring is told where git can. */
function noPlan(error: unknown): undefined {
  if (!(error instanceof AgentKitError)) throw error;
}

import type { MergePlan } from '../agentKitTypes.ts';
import { staleReasons } from '../conductor/mergeActions.ts';
import { made } from '../conductor/settleLane.ts';
import { planMerge } from '../git/planMerge.ts';
import type { FoundLane } from './laneFinder.ts';

/** What merging a lane would do now; changes nothing. */
export async function previewMerge(
  repository: { root: string; commonDir: string },
  found: FoundLane,
): Promise<MergePlan> {
  const { record, state } = found;
  const target = state.target.ref;
  const gate = state.plan.gate.map(({ name, run }) => ({ name, run }));
  const base = { lane: record.id, target, strategy: 'merge' as const, gate };
  if (record.state !== 'ready') {
    const whyNot = [`Lane ${record.id} is ${record.state}.`, ...record.reasons];
    return {
      ...base,
      from: state.target.sha,
      head: record.head ?? '',
      commits: [],
      files: [],
      conflicts: [],
      whyNot,
    };
  }
  const lane = made(record);
  const head = lane.gate?.head ?? '';
  const plan = await planMerge({ ...repository, target, head });
  return {
    ...base,
    from: plan.from ?? state.target.sha,
    head,
    commits: plan.commits,
    files: plan.files,
    conflicts: plan.conflicts,
    whyNot: [...(await staleReasons(lane)), ...plan.whyNot],
  };
}

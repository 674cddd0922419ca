import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import { hasEarlierLane } from '../git/hasEarlierLane.ts';
import { lanePlace } from '../git/lanePlace.ts';
import type { Repository } from '../git/openRepository.ts';
import { resolveBase, tipOf } from '../git/resolveBase.ts';
import { createRunFolder, runsFolder } from '../store/runFolder.ts';
import type { PlanPreview } from '../agentKitTypes.ts';
import type { RunReader } from './runReader.ts';
import { takenLanes } from './takenLanes.ts';

export interface NewRun {
  run: string;
  folder: string;
  created: RunEventBody;
  /** The commit that its lanes start from. */
  base: string;
}

export interface RunRequest {
  repository: Repository;
  /** The checkout in which the plan's base means what it says. */
  checkout: string;
  /** Parent folder of the lanes' worktrees. */
  laneRoot: string;
  plan: ResolvedPlan;
  /** Its base as it was shown before the start: there by now it is named, and the rule is not to be seen any more. */
  shown: PlanPreview['base'];
  reader: RunReader;
  now: Date;
}

/**
 * Makes the folder of a new run and its first event. Until that is in the journal nobody else may choose names of
 * lanes: call it in a turn.
 * @throws AgentKitError `not_found` when base or target are gone, `conflict` when a lane's name is taken
 */
export async function makeRun(request: RunRequest): Promise<NewRun> {
  const { repository, checkout, plan, shown, now } = request;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const run = `${stamp}-${randomBytes(2).toString('hex')}`;
  const folder = join(runsFolder(repository.commonDir), run);
  const { ref, sha } = await resolveBase({ root: checkout }, plan.base);
  const base = { ref, sha, ...(shown && { how: shown.how }), ...warningsOf(shown) };
  const target = { ref: plan.merge.into, sha: await targetTip(repository.root, plan.merge.into) };
  const lanes = await laneIds(request, run);
  const plan_sha256 = await createRunFolder(folder, plan);
  const report = join(repository.root, 'plans', 'reports', `orchestrate-${stamp}-${run.slice(-4)}`);
  const created = {
    type: 'run.created' as const,
    run,
    name: plan.name,
    plan_sha256,
    repo: repository.root,
    base,
    target,
    report,
    lanes,
  };
  return { run, folder, created, base: base.sha };
}

function warningsOf(shown: PlanPreview['base']): { warnings?: string[] } {
  return shown === null || shown.warnings.length === 0 ? {} : { warnings: shown.warnings };
}

async function targetTip(root: string, branch: string): Promise<string> {
  const tip = await tipOf(root, branch);
  if (tip === null)
    throw new AgentKitError('not_found', `The branch to merge into, ${branch}, does not exist.`);
  return tip;
}

/** A lane is called like its job, unless an earlier lane still has that name, its branch or its folder. */
async function laneIds({ repository, laneRoot, plan, reader }: RunRequest, run: string): Promise<string[]> {
  const taken = await takenLanes(repository.commonDir, reader);
  const reuseInto = plan.merge.into;
  return Promise.all(
    plan.jobs.map(async ({ id }) => {
      const place = { ...lanePlace(laneRoot, id), reuseInto };
      return taken.has(id.toLowerCase()) || (await hasEarlierLane(repository, place)) ? `${run}/${id}` : id;
    }),
  );
}

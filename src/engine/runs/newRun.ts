import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { ResolvedPlan } from '../../core/plan/plan.ts';
import type { RunEventBody } from '../../core/run/runEvent.ts';
import { resolveBase, tipOf } from '../git/resolveBase.ts';
import { createRunFolder, listRunFolders, runsFolder } from '../store/runFolder.ts';
import type { RunReader } from './runReader.ts';

export interface NewRun {
  run: string;
  folder: string;
  created: RunEventBody;
}

/** Makes the folder of a new run and its first event. */
export async function makeRun(
  repository: { root: string; commonDir: string },
  plan: ResolvedPlan,
  reader: RunReader,
  now: Date,
): Promise<NewRun> {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const run = `${stamp}-${randomBytes(2).toString('hex')}`;
  const folder = join(runsFolder(repository.commonDir), run);
  const base = await resolveBase(repository, plan.base);
  const target = { ref: plan.merge.into, sha: await targetTip(repository.root, plan.merge.into) };
  const lanes = await laneIds(repository.commonDir, plan, reader, run);
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
  return { run, folder, created };
}

async function targetTip(root: string, branch: string): Promise<string> {
  const tip = await tipOf(root, branch);
  if (tip === null)
    throw new AgentKitError('not_found', `The branch to merge into, ${branch}, does not exist.`);
  return tip;
}

/** A lane is called like its job while no open lane of another run is. */
async function laneIds(
  commonDir: string,
  plan: ResolvedPlan,
  reader: RunReader,
  run: string,
): Promise<string[]> {
  const open = new Set<string>();
  for (const folder of await listRunFolders(commonDir)) {
    const state = await reader.state(folder).catch(() => undefined);
    for (const lane of state?.lanes ?? []) {
      if (lane.state !== 'merged' && lane.state !== 'dropped' && lane.worktree !== undefined)
        open.add(lane.id);
    }
  }
  return plan.jobs.map(({ id }) => (open.has(id) ? `${run}/${id}` : id));
}

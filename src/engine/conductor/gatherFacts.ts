import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountFact, Facts, StepFact } from '../../core/run/facts.ts';
import type { RunState } from '../../core/run/runState.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { readStep } from '../process/steps.ts';
import { stepFiles } from '../store/paths.ts';
import { clearMergeTree } from './clearMergeTree.ts';
import { guestsIn } from './guestsIn.ts';
import type { MergeLock } from './mergeLock.ts';
import type { EngineContext } from './runContext.ts';
import type { StartLimit } from './startLimit.ts';
import { takeRequests } from '../store/requests.ts';

/** Where the conductor learns of accounts: read once a batch, then only what is known and leases are looked at. */
export interface AccountSource {
  facts(): Promise<AccountFact[]>;
  /** Makes the next `facts` read usage anew, once for a person's request, given by its id. */
  refresh(request: string): void;
}

/** Everything that a decision needs and the journal does not say. */
export async function gatherFacts(
  run: { folder: string; accounts: AccountSource; startNew: boolean; engine: EngineContext },
  state: RunState,
  { mergeLock, starts }: { mergeLock: MergeLock; starts: StartLimit },
): Promise<Facts> {
  const requests = await takeRequests(run.folder, state.answers);
  const merging =
    requests.some((request) => request.do === 'merge') ||
    state.lanes.some((lane) => lane.state === 'merging');
  const mayMerge = merging
    ? mergeLock.hold() && (await clearMergeTree(run.engine, state))
    : mergeLock.release();
  for (const request of requests) if (request.do === 'retry') run.accounts.refresh(request.id);
  const folders = state.lanes.flatMap((lane) => pendingStep(lane, state.plan) ?? []);
  const steps = await Promise.all(
    folders.map(async (folder): Promise<[string, StepFact]> => {
      const { state: step, claimed, status } = await readStep(join(run.folder, folder));
      const stopping = existsSync(stepFiles(join(run.folder, folder)).stop);
      const waiting = step === 'running' ? status?.waiting : undefined;
      // A supervisor that died before it took the step on has started nothing.
      const state = step === 'lost' && !claimed ? 'absent' : step;
      return [folder, { state, stopping, ...(waiting && { waiting }) }];
    }),
  );
  const choosing = run.startNew && state.lanes.some((lane) => lane.state === 'queued');
  const accounts = choosing ? await run.accounts.facts() : [];
  return {
    accounts,
    steps: Object.fromEntries(steps),
    requests,
    mayMerge,
    ...(requests.length > 0 && { guests: await guestsIn(run.engine, run.folder, state) }),
    gone: new Set(
      requests.flatMap((each) => (each.do === 'retry' && isGone(state, each.lane) ? each.lane : [])),
    ),
    starts: await mayStart(run.engine, state, starts),
    startNew: run.startNew,
    now: run.engine.now().toISOString(),
  };
}

function isGone({ lanes }: RunState, id: string): boolean {
  const path = lanes.find((lane) => lane.id === id)?.worktree?.path;
  return path !== undefined && !existsSync(path);
}

/** Looked at only where one is about to start. */
async function mayStart(engine: EngineContext, state: RunState, starts: StartLimit): Promise<number> {
  if (!state.lanes.some((lane) => lane.state === 'preparing' && lane.prepared)) return Infinity;
  return starts.allowed(async () =>
    [state, ...(await engine.allRuns())].some(({ lanes }) =>
      lanes.some((lane) => lane.state === 'running' || lane.state === 'waiting'),
    ),
  );
}

import { readFile } from 'node:fs/promises';
import { AgentKitError } from '../core/agentKitError.ts';
import { AccountDesk } from './accounts/accountDesk.ts';
import type { AgentKit, AgentKitOptions, PlanPreview, StartOptions } from './agentKitTypes.ts';
import { createPersonKinds } from './agents/kinds.ts';
import { fetchBudgetMs } from './git/fetchBase.ts';
import { openRepository } from './git/openRepository.ts';
import { readBlob } from './git/readBlob.ts';
import { showsIn } from './git/showsIn.ts';
import { changedFiles } from './git/changedFiles.ts';
import { defaultLaneRoot } from './git/laneRoot.ts';
import { ownCheckout } from './git/ownCheckout.ts';
import { planKinds } from './plans/planKinds.ts';
import { previewPlan, type PreviewSources } from './plans/previewPlan.ts';
import { followTranscript } from './process/followTranscript.ts';
import { createLaneCare } from './lanes/createLaneCare.ts';
import { LaneFinder } from './runs/laneFinder.ts';
import { previewMerge } from './runs/previewMerge.ts';
import { resumeRun } from './runs/resumeRun.ts';
import { RunKeeper } from './runs/runKeeper.ts';
import { RunReader } from './runs/runReader.ts';
import { RunWatch } from './runs/runWatch.ts';
import { findRun } from './runs/findRun.ts';
import { listRunFolders } from './store/runFolder.ts';

export type * from './agentKitTypes.ts';
export type * from './lanes/laneCare.ts';
export type { Profile } from './agents/agentKind.ts';
export type { AccountDesk } from './accounts/accountDesk.ts';
export type { TranscriptLine } from './process/launch.ts';
export { createAccounts } from './createAccounts.ts';
export { createMachine } from './createMachine.ts';
export type { DoctorFinding, DoctorReport, Machine } from './createMachine.ts';
export { writeBugLog } from './store/writeBugLog.ts';

/** Builds the facade for the repository that holds a folder. @throws AgentKitError `not_found`, `git_failed` */
export async function createAgentKit(options: AgentKitOptions): Promise<AgentKit> {
  const repository = await openRepository(options.folder);
  const { root, commonDir } = repository;
  const now = () => new Date();
  const kinds = createPersonKinds(options);
  const laneRoot = await defaultLaneRoot(repository);
  const checkout = await ownCheckout(repository, options.folder);
  const reader = new RunReader();
  const engine = {
    repository,
    kinds,
    environment: options.environment,
    asks: options.asks,
    denies: options.denies,
    node: options.node,
    dist: options.dist,
    laneRoot,
    workingIn: options.folder,
    allRuns: async () => reader.states(await listRunFolders(commonDir)),
    now,
  };
  const desk = new AccountDesk({ kinds, environment: options.environment, denies: options.denies, now });
  // The editor starts nothing in a workspace that is not trusted.
  const needsTrust = options.head === 'ak';
  const { environment } = options;
  const kindsAt = (commit: string) => planKinds(commit, { repository, own: kinds, environment, needsTrust });
  const lanes = new LaneFinder(commonDir, reader);
  const keeper = new RunKeeper({ engine, checkout, kindsAt, head: options.head, desk, reader });
  const care = createLaneCare({
    engine,
    repository,
    checkout,
    kinds,
    kindsAt,
    needsTrust,
    copies: options.copies,
    finder: lanes,
    reader,
    keeper,
  });
  const watches = new Set<RunWatch>();

  const preview = async (
    source: PlanText,
    start: StartOptions,
    accounts: PreviewSources['accounts'],
    fetchMs?: number,
  ): Promise<PlanPreview> =>
    previewPlan(await planText(source), start, {
      repository,
      checkout,
      kindsAt,
      accounts,
      fetchMs,
      environment: options.environment,
      asks: options.asks,
      needsTrust,
      copies: options.copies,
    });

  return {
    repository,
    lanes: care,
    usage: (request) => desk.read(request),
    pick: (request) => desk.pick(request),
    // Nobody is contacted before the start.
    previewPlan: (source, start = {}) =>
      preview(source, start, (plan, theirs) => desk.with(theirs).preview(plan)),
    listRuns: async () => reader.viewAll(await listRunFolders(commonDir)),
    readRun: async (run) => reader.view(await findRun(commonDir, run)),
    findLane: async (lane) => (await lanes.find(lane)).view,
    watchRuns: (onDidChange) => {
      const watch = new RunWatch(commonDir, reader, onDidChange);
      watches.add(watch);
      return watch;
    },
    startRun: async (source, start = {}) =>
      keeper.start(
        await preview(source, start, (plan, theirs) => desk.with(theirs).survey(plan), fetchBudgetMs),
      ),
    resumeRun: async (run, how) => resumeRun({ keeper, reader }, await findRun(commonDir, run), how),
    request: async (run, request, wait) => keeper.request(await findRun(commonDir, run), request, wait),
    planMerge: async (lane) => previewMerge(repository, await lanes.find(lane)),
    changedFiles: async (lane) => {
      const { record } = await lanes.find(lane);
      if (record.worktree === undefined || record.head === undefined) return [];
      return changedFiles({ root, base: record.changesBase ?? record.worktree.base, head: record.head });
    },
    showsInCheckout: (file) => showsIn(repository, file),
    readBlob: (commit, path) => readBlob(root, commit, path),
    follow: async (lane, onLine, signal) => followTranscript(await lanes.newestAttempt(lane), onLine, signal),
    dispose: async () => {
      for (const watch of watches) watch.close();
      await keeper.close();
    },
  };
}

type PlanText = { file: string } | { text: string };

async function planText(source: PlanText): Promise<string> {
  if ('text' in source) return source.text;
  return readFile(source.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new AgentKitError('not_found', `There is no plan ${source.file}.`);
    if (error.code === 'EISDIR')
      throw new AgentKitError('invalid_input', `${source.file} is a folder; name the plan's file.`);
    throw error;
  });
}

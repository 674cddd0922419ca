import type { ErrorReason } from '../core/agentKitError.ts';
import type { AccountReading } from '../core/accounts/usage.ts';
import type { PickAnswer, PickRequest } from '../core/accounts/pickAccounts.ts';
import type { LaneView, RunView } from '../core/lanes/laneView.ts';
import type { GateSource, PlanProblem, ResolvedPlan } from '../core/plan/plan.ts';
import type { LocatedOverlap } from '../core/plan/locateOverlaps.ts';
import type { Answer, RequestBody } from '../core/run/request.ts';
import type { Head } from '../core/run/runEvent.ts';
import type { LaneCare } from './lanes/laneCare.ts';
import type { TranscriptLine } from './process/launch.ts';

export interface AgentKitOptions {
  /** A folder in the repository; lanes count as their main repository. */
  folder: string;
  head: Head;
  /** Node that runs supervisors and `ak lane attach`: `process.execPath` in both heads. */
  node: string;
  /** Folder with `supervisor.js` and `demoAgent.js`. */
  dist: string;
  environment: Record<string, string | undefined>;
  /** Where the head's own settings say that agents ask before they act, in words; null where they do not. */
  asks?: () => string | null;
  /** Variables that the head's own settings withhold from all that is started, by name or with `*`. */
  denies?: () => readonly string[];
  /** Globs of files that are copied into worktrees where the repository does not say it. */
  copies?: () => readonly string[];
}

/** What a person says of one start beside the plan. */
export interface StartOptions {
  /** The agents of this run ask before they act, whoever goes on with it. */
  ask?: boolean;
}

/** The account picked for each job and why a job has to wait. */
export interface JobPreview {
  job: string;
  stage: number;
  /** Null: waits until an account is free or nothing qualifies. */
  account: { name: string; headroom_pct: number | null; resets_at: string | null } | null;
  waits: string | null;
}

/** What the board shows before the start, and `ak plan check` prints. */
export interface PlanPreview {
  problems: PlanProblem[];
  /** Null while there are problems. */
  plan: ResolvedPlan | null;
  /** Where lanes start, by which rule it was found, and what may be unexpected of it. Null while there are problems. */
  base: { ref: string; sha: string; how: string; warnings: string[] } | null;
  /** The folder that lanes go to, and what is to be known of it. Null while there are problems. */
  lanes: { root: string; warnings: string[] } | null;
  overlaps: LocatedOverlap[];
  stages: string[][];
  jobs: JobPreview[];
  writers: number;
  gateSource: GateSource;
  accounts: AccountReading[];
  /** Soonest reset among accounts that do not qualify. */
  next_reset_at: string | null;
  /** Every place that says that its agents ask; empty where none does, and then they work without asking. */
  asked_by: string[];
  /** Reasons why it cannot start; empty when it can. */
  whyNot: string[];
  /** What sort of reason that is; null when it can start. */
  refusal: ErrorReason | null;
}

/** What merging a lane would do now. */
export interface MergePlan {
  lane: string;
  target: string;
  /** Where the target stands; pass it back as `expect`. */
  from: string;
  head: string;
  strategy: 'merge';
  commits: { sha: string; subject: string }[];
  files: string[];
  /** Commands that set the merged tree up before its gate. */
  setup: string[];
  gate: { name: string; run: string }[];
  conflicts: string[];
  whyNot: string[];
}

/** How somebody waits for the answer to a request. */
export interface RequestWait {
  /** Withdraws the request: it is not carried out, unless the owner of the run took it up before. */
  signal?: AbortSignal;
  /** Called once when the run's owner, another process, has not answered for a while. */
  onWait?: (owner: { pid: number; head: Head }) => void;
}

/** A changed file of a lane against its base. */
export interface ChangedFile {
  /** Relative to the worktree, with `/`. */
  path: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Earlier path of a renamed file. */
  from?: string;
}

/** A run whose journal or plan is damaged, or was written by a newer version. */
export interface UnreadableRun {
  folder: string;
  message: string;
}

export interface Watch {
  close(): void;
}

/** A run that goes on. */
export interface Resumed {
  run: string;
  atRest: Promise<RunView>;
  /** Why lanes that were broken off do not go on. */
  refused: string[];
}

/** The one facade on which both heads build. All methods reject with AgentKitError. */
export interface AgentKit {
  /** Top folder of the main checkout, and git's common directory. */
  readonly repository: { root: string; commonDir: string };
  /** Lanes besides running them: by hand, discarded, restored, told, cleaned up. */
  readonly lanes: LaneCare;
  usage(options: { kind?: string; maxAgeS?: number }): Promise<AccountReading[]>;
  pick(request: PickRequest): Promise<PickAnswer>;
  previewPlan(source: { file: string } | { text: string }, options?: StartOptions): Promise<PlanPreview>;
  /** Newest first. A run that cannot be read keeps none of the others from view. */
  listRuns(): Promise<{ runs: RunView[]; unreadable: UnreadableRun[] }>;
  /** By id, run folder or report folder. */
  readRun(run: string): Promise<RunView>;
  /** By lane id, where the newest run that has it wins, or as `<run>/<job>`. */
  findLane(lane: string): Promise<LaneView>;
  /** Calls back, at most four times a second, after something a RunView shows has changed. */
  watchRuns(onDidChange: () => void): Watch;
  /** Starts a run and owns it until it is at rest; resolves once its journal exists. */
  startRun(
    source: { file: string } | { text: string },
    options?: StartOptions,
  ): Promise<{ run: string; atRest: Promise<RunView> }>;
  /**
   * Takes over a run whose owner is gone; `retry` goes on with what was broken off in it, and tells of what that is
   * refused. @throws `conflict` when it has a live owner.
   */
  resumeRun(run: string, options?: StartOptions & { retry?: boolean }): Promise<Resumed>;
  /** Asks the owner of the run; becomes the owner for this one request when there is none. @throws `cancelled` */
  request(run: string, request: RequestBody, wait?: RequestWait): Promise<Answer>;
  planMerge(lane: string): Promise<MergePlan>;
  changedFiles(lane: string): Promise<ChangedFile[]>;
  /** Whether what is written to this file shows as a change of the main checkout. */
  showsInCheckout(file: string): Promise<boolean>;
  /** Bytes of a file at a commit. @throws `not_found` */
  readBlob(commit: string, path: string): Promise<Uint8Array>;
  /** The transcript of a lane's newest attempt from its start; ends with the attempt or the signal. */
  follow(lane: string, onLine: (line: TranscriptLine) => void, signal: AbortSignal): Promise<void>;
  /** Lets go of owned runs without stopping their agents. */
  dispose(): Promise<void>;
}

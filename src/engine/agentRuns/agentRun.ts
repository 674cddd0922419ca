import type { Limit, Refusal } from '../../core/accounts/refusal.ts';
import type { ErrorReason } from '../../core/agentKitError.ts';
import type { PostureRequest } from '../../core/safety/posture.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import type { StepResult, TranscriptLine } from '../process/launch.ts';

/** One agent to run to its end, without anybody to answer it. */
export interface AgentRunRequest {
  kind: string;
  /** With its `@`; without it the person's default, else the best account that is free. */
  profile?: string;
  /** Any bytes. */
  prompt: Uint8Array;
  /** Absolute. With `lane`: a folder of that lane's repository. */
  cwd: string;
  /** Works in this lane's worktree, with its marks. */
  lane?: string;
  timeoutS: number;
  model?: string;
  /** Session of the vendor to go on with. */
  resume?: string;
  flags: NonNullable<PostureRequest['flags']>;
  /** The person wants the folder trusted in the vendor's own settings of this profile. */
  trustCwd: boolean;
}

/** How somebody follows a run. */
export interface AgentRunWatch {
  /** Every line of progress, live. */
  onLine: (line: TranscriptLine) => void;
  /** What becomes known on the way, for a person. */
  onNote: (text: string) => void;
  /** Stops the run, and waits until everything of it has ended. */
  stop: AbortSignal;
  /** Waits no longer: what is being stopped by then is left to its supervisor. Comes after `stop`. */
  leave: AbortSignal;
}

/** run-v1 (design chapter 3). */
export interface AgentRunAnswer {
  kind: string;
  /** Null when none was chosen. */
  profile: string | null;
  cwd: string;
  /** Exit code of `ak run`. */
  exit: number;
  duration_s: number;
  /** At most 64 KiB, redacted. */
  result_text: string;
  /** 128 and the signal's number where one ended it; null when it never started, or was not waited for. */
  cli_exit: number | null;
  truncated: boolean;
  session_id?: string;
  limit?: Limit;
  refused?: Refusal;
  usage?: NonNullable<StepResult['usage']>;
  /** Tools that it wanted to use and was not permitted to. */
  denied?: string[];
  /** Ids of processes that left its tree and were left alone. */
  strays?: number[];
  error?: { reason: ErrorReason | 'failed'; message: string };
  /** Null when it came to none. */
  run_folder: string | null;
}

export interface AgentRunContext {
  kinds: ReadonlyMap<string, AgentKind>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Node that runs the supervisor. */
  node: string;
  /** Folder with `supervisor.js`. */
  dist: string;
  now: () => Date;
}

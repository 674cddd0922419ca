import type { CheckResult, GateStatus } from '../gates/finding.ts';
import type { LaneState } from '../lanes/laneState.ts';
import type { Waiting } from '../lanes/waiting.ts';
import type { Job, ResolvedPlan } from '../plan/plan.ts';
import type { ProcessIdentity } from './processIdentity.ts';
import type * as z from 'zod';
import type { NextAttempt } from './nextAttempt.ts';
import type { ownSettingsSchema } from './ownSettings.ts';
import type { ForeignChange, RescueRecord } from './rescue.ts';
import type { RunBase } from './runBase.ts';
import type { Changes, Head, laneIdentitySchema, LaneEvent, RunEvent, Worktree } from './runEvent.ts';

export interface AttemptState {
  n: number;
  account: string;
  started_at: string;
  ended_at: string | null;
  outcome: 'running' | 'succeeded' | 'failed' | 'timeout' | 'stopped' | 'lost';
  exit: number | null;
  message?: string;
  session_id?: string;
  /** What it went on with. */
  next?: NextAttempt;
  usage?: { input_tokens?: number; output_tokens?: number; cost_usd?: number };
}

/** The newest setup of a lane's worktree, or of the one with its merged tree. */
export type SetupState = {
  n: number;
  /** Commands that have ended well. */
  done: number;
} & ({ status: 'running' } | { status: 'failed'; message: string });

/** A lane that is being rescued and taken away. */
export type Closing = Pick<
  Extract<LaneEvent, { type: 'lane.closing' }>,
  'why' | 'request' | 'accepts_loss' | 'message'
>;

/**
 * An account that is not given to a lane, or to none of the run, until a person has something tried again, or its limit
 * is over and the plan waits for that.
 */
export interface Exclusion {
  account: string;
  /** Nor is any other profile of its login. */
  login?: true;
  /** Why. */
  message: string;
  /** When its limit is over, where that is known. */
  resets_at?: string;
}

/** The newest gate run of a lane, or of the tree that its merge produces. */
export interface GateState {
  n: number;
  subject: 'lane' | 'merge';
  status: Exclude<GateStatus, 'none'>;
  /** The commit that was checked. */
  head: string;
  checks: CheckResult[];
  message?: string;
}

/** The newest merge that was asked for. What git made is absent when it was refused before. */
export interface MergeState {
  request: string;
  /** Requests for the same merge that came while it was under way. */
  joined: string[];
  status: 'planned' | 'stopping' | 'refused' | 'applied';
  made?: {
    target: string;
    from: string;
    head: string;
    commit: string;
    tree: string;
    /** Of the worktree with the merged tree, by variable. */
    ports: Record<string, number>;
  };
  /** Setup of that worktree. */
  setup?: SetupState;
}

/** An untracked file that a gate run left behind. */
export interface Leftover {
  path: string;
  /** SHA-256 of its content when the gate had ended. */
  sha: string;
  /** Number of that gate run. */
  gate: number;
}

/** Everything about one lane that the journal says. */
export interface LaneRecord {
  id: string;
  job: Job;
  state: LaneState;
  /** When it entered this state. */
  since: string;
  account?: string;
  headroom_pct?: number | null;
  /** Its branch and worktree, once they were made. */
  worktree?: Worktree;
  /** What is to be made for the assignment under way. */
  intended?: Worktree;
  /** Branch and worktree are known to stand for the assignment under way. */
  prepared: boolean;
  /** It was made by hand: no agent of ours begins in it by itself. */
  byHand: boolean;
  /** What it is judged by and given instead of what the plan says. */
  own?: z.output<typeof ownSettingsSchema>;
  /** The rescue whose content it gets when it is made. */
  restores?: string;
  /** As what its worktree is marked until it is this lane's. */
  adopts?: z.output<typeof laneIdentitySchema>;
  /** Files that we put into its worktree. */
  placed: string[];
  /** Ports of its own, by variable. */
  ports: Record<string, number>;
  setup?: SetupState;
  /** How many setups were begun for it. */
  setups: number;
  /** How its next agent goes on. */
  next?: NextAttempt;
  /** It went to its gate at its account's limit. */
  limited?: true;
  /** What it holds is taken away, rescued, before its next agent begins. */
  anew?: true;
  /** No account is left for it before then. */
  postponed?: { until: string; message: string };
  /** How often its agents failed at the job since a person last asked for it. */
  failures: { failed: number; timeouts: number };
  /** What changed outside of it while its agents ran, and nobody has accepted. */
  foreign: ForeignChange[];
  closing?: Closing;
  /** What it once held, oldest first. */
  rescues: RescueRecord[];
  /** Its worktree was taken away. */
  removed?: { at: string; path: string; branch: 'deleted' | 'kept' | 'gone'; left: string[] };
  /** What the newest attempt left was committed and judged. */
  settled: boolean;
  head?: string;
  changes?: Changes;
  /** Commit against which the changes were counted. */
  changesBase?: string;
  attempts: AttemptState[];
  /** Accounts that ran into their limit, or out of time, with it. */
  tried: Exclusion[];
  /** What its agent waits for, in the state `waiting` only. */
  waiting?: Waiting;
  /** How many gate runs were started for it, of either subject. */
  gates: number;
  gate?: GateState;
  mergeGate?: GateState;
  merge?: MergeState;
  /** The lane before it because of which it is blocked. */
  blockedAfter?: string;
  /** It is blocked before its agent began, and nothing speaks against it: it was stopped, had no account, or lost its setup. */
  deferred?: true;
  /** Why it failed, is blocked, or was not merged: lines for a person. */
  reasons: string[];
  warnings: string[];
  /** Untracked files that the newest gate run left in the worktree: not the agent's work while they stay as they are. */
  leftByGate: Leftover[];
}

/** A run as its journal tells it; `fold` makes it and nothing else does. */
export interface RunState {
  run: string;
  name: string;
  seq: number;
  created_at: string;
  updated_at: string;
  plan: ResolvedPlan;
  repo: string;
  report: string;
  base: RunBase;
  target: { ref: string; sha: string };
  /** Moves of the target that we did not make. */
  targetMoves: { from: string; to: string; at: string }[];
  owner?: ProcessIdentity & { head: Head };
  fence: number;
  status: 'running' | 'stopping' | 'done' | 'failed' | 'stopped';
  lanes: LaneRecord[];
  /** Accounts that could not be used. */
  excluded: Exclusion[];
  /** Lanes are added to it by hand, and it never ends. */
  standing: boolean;
  /** What the accounts had left when its work ended; nothing once it goes on. */
  spent?: Extract<RunEvent, { type: 'run.spent' }>['accounts'];
  answers: Record<string, Extract<RunEvent, { type: 'request.answered' }>>;
}

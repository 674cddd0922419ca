import type { GateStatus, Finding } from '../gates/finding.ts';
import type { LaneState } from './laneState.ts';
import type { Waiting } from './waiting.ts';

/** lane-v1 (design chapter 3), with what the editor shows besides. */
export interface LaneView {
  lane: string;
  job: string;
  run: string;
  branch: string | null;
  path: string | null;
  base: { ref: string; sha: string } | null;
  head: string | null;
  state: LaneState;
  since: string;
  account: string | null;
  headroom_pct: number | null;
  title: string;
  paths: string[];
  depends_on: string[];
  attempts: {
    n: number;
    account: string;
    exit: number | null;
    outcome: string;
    started_at: string;
    ended_at: string | null;
    session_id: string | null;
    message: string | null;
  }[];
  changes: { files: number; insertions: number; deletions: number; commits: number; outside_paths: string[] };
  gate: { status: GateStatus; head: string | null; message: string | null; checks: CheckView[] };
  merge_gate: { status: GateStatus; head: string | null; message: string | null; checks: CheckView[] };
  mergeable: boolean;
  /** Why it cannot be merged now; empty when it can, or is. */
  why_not: string[];
  warnings: string[];
  /** What its agent waits for, in the state `waiting`. */
  waiting: Waiting | null;
  /** Last line of the agent's progress, while it runs. */
  activity: string | null;
}

export interface CheckView {
  name: string;
  status: string;
  exit: number | null;
  duration_s: number;
  message: string | null;
  findings: Finding[];
  more_findings: number;
}

/** A run with its lanes: what trees, board and `ak … --json` show. */
export interface RunView {
  run: string;
  name: string;
  status: 'running' | 'stopping' | 'done' | 'failed' | 'stopped' | 'interrupted';
  created_at: string;
  updated_at: string;
  seq: number;
  folder: string;
  report: string;
  base: { ref: string; sha: string };
  target: { ref: string; sha: string };
  target_moves: { from: string; to: string; at: string }[];
  gate: { name: string; run: string }[];
  /** Who wrote its journal last; `self` is this process, `alive` whether that process still is. */
  owner: { pid: number; head: 'editor' | 'ak'; self: boolean; alive: boolean } | null;
  lanes: LaneView[];
}

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
    usage: { input_tokens?: number; output_tokens?: number; cost_usd?: number } | null;
  }[];
  changes: { files: number; insertions: number; deletions: number; commits: number; outside_paths: string[] };
  gate: { status: GateStatus; head: string | null; message: string | null; checks: CheckView[] };
  merge_gate: { status: GateStatus; head: string | null; message: string | null; checks: CheckView[] };
  mergeable: boolean;
  /** Why it cannot be merged now; empty when it can, or is. */
  why_not: string[];
  warnings: string[];
  /** Its worktree's folder is not there any more, though nobody of us took it away; `warnings` tells what helps. */
  folder_gone: boolean;
  /** What its agent waits for, in the state `waiting`. */
  waiting: Waiting | null;
  /** It was made by hand. */
  by_hand: boolean;
  /** Ports of its own, by variable. */
  ports: Record<string, number>;
  /** What it is being taken away for. */
  closing: 'discard' | 'remove' | 'restart' | 'blocked' | null;
  /** The ref of its newest rescue, which restores all that it held then. */
  rescue: string | null;
  rescues: {
    ref: string;
    at: string;
    why: string;
    files: number;
    bytes: number;
    archive: string | null;
    not_kept: string[];
  }[];
  /** Its worktree was taken away; `left` is what is still there. */
  removed: { at: string; path: string; branch: 'deleted' | 'kept' | 'gone'; left: string[] } | null;
  /** Since when its agent has said nothing and used no CPU; null while it is alive. */
  stalled_since: string | null;
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
  /** Whether Resume goes on with something: its owner is gone, or lanes of it were stopped or broken off. */
  resumable: boolean;
  created_at: string;
  updated_at: string;
  seq: number;
  folder: string;
  report: string;
  /** With the rule by which it was chosen, and what is unexpected of it: how far it is behind, or ahead. */
  base: { ref: string; sha: string; how?: string; warnings?: string[] };
  target: { ref: string; sha: string };
  target_moves: { from: string; to: string; at: string }[];
  gate: { name: string; run: string }[];
  /** Lanes are added to it by hand, and it never ends. */
  standing: boolean;
  /** What its accounts had left when its work ended. */
  spent: { account: string; headroom_pct: number | null; resets_at: string | null; reason?: string }[] | null;
  /** Who wrote its journal last; `self` is this process, `alive` whether that process still is. */
  owner: { pid: number; head: 'editor' | 'ak'; self: boolean; alive: boolean } | null;
  lanes: LaneView[];
}

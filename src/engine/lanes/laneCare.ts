import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Answer } from '../../core/run/request.ts';
import type { RequestWait } from '../agentKitTypes.ts';
import type { RescueEntry } from '../rescue/listRescues.ts';

export type { RescueEntry };

/** What taking a lane away would mean now. */
export interface DiscardPreview {
  lane: string;
  path: string | null;
  branch: string | null;
  /** Changed and untracked files. */
  dirty: string[];
  untracked: string[];
  /** Ignored files: how many are kept in an archive, and how many bytes. */
  ignored: { files: number; bytes: number; largest: { path: string; bytes: number }[] };
  /** Commits that no other branch and no remote has. */
  unpushed: number;
  /** Whether its target lacks something of its content. */
  unmerged: boolean;
  submodules: { path: string; dirty: boolean; unpushed: number }[];
  /** Processes that are at work inside. */
  processes: { pid: number; command: string; ours: boolean }[];
  /** What a rescue cannot hold, each with the reason. */
  not_kept: string[];
  /** What happens to the branch, in words. */
  branch_fate: string;
  /** Why it is refused; empty when it can be done. */
  why_not: string[];
}

/** A process that a lane left behind, or that works in its folder and may be anybody's. */
export interface OrphanView {
  pid: number;
  /** With the pid it names the process for certain. */
  started: string;
  command: string;
  run: string;
  lane: string;
  cwd: string | null;
  /** TCP ports that it listens on. */
  ports: number[];
  rss_bytes: number;
  cpu_s: number;
  /** Why it is not for us to end it; null for what a lane of ours certainly left. */
  why_not: string | null;
}

export interface LaneResources {
  rss_bytes: number;
  cpu_s: number;
  processes: number;
  ports: number[];
  /** Of its worktree; null when that took too long to count. */
  disk_bytes: number | null;
}

export interface CleanAnswer {
  removed: {
    lane: string;
    run: string;
    path: string;
    rescue: string | null;
    branch: 'deleted' | 'kept' | 'gone';
    left: string[];
    /** What did not go well besides, such as a teardown that failed. */
    warnings: string[];
  }[];
  /** `adoptable`: its run is lost, and it can be made a lane by hand. */
  kept: { lane: string; run: string; path: string | null; reasons: string[]; adoptable?: true }[];
  /** Folders of lanes that others had deleted, of which git's entry was dropped, and held nothing more. */
  pruned: string[];
  /** Archives that rescues which were killed had left, and that were deleted. */
  archives: string[];
  /** What could not be cleared away, and why. */
  left: { path: string; why: string }[];
  /** What the repository lacks of what its refs need; looked at after something was removed. */
  broken: string[];
}

/** A folder with what was found where a lane was being made; only a person knows whether it is needed. */
export interface PutAside {
  lane: string;
  run: string;
  path: string;
}

/** What a person does with lanes besides running them. All methods reject with AgentKitError. */
export interface LaneCare {
  /** Makes lanes by hand in the standing run; resolves when each is open or cannot be made. */
  create(
    names: readonly string[],
    options?: { base?: string; paths?: readonly string[] },
  ): Promise<LaneView[]>;
  previewDiscard(lane: string): Promise<DiscardPreview>;
  /** Rescues it and takes it away; resolves when that has ended. `acceptsLoss`: the person has seen what is not kept. */
  discard(
    lane: string,
    options?: { acceptsLoss?: boolean },
    wait?: RequestWait,
  ): Promise<Answer & { rescue: string | null }>;
  /** Asks the agent of `ak run` that works in a lane to stop; tells of it in words, or null when there is none. */
  stopGuest(lane: string): Promise<string | null>;
  /** By ref, or by lane for its newest rescue. Under the lane's old name if that is free, else one with a suffix. */
  restore(rescue: string): Promise<LaneView>;
  /** Newest first. */
  rescues(): Promise<RescueEntry[]>;
  /** What was moved aside, whatever has become of its lane since. */
  putAside(): Promise<PutAside[]>;
  /** Forgets a rescue, at the person's word only. */
  dropRescue(ref: string): Promise<void>;
  /** The session that can be gone on with, proven to be there; else why not. */
  canTell(lane: string): Promise<{ session: string; account: string } | { why: string }>;
  tell(lane: string, text: string, wait?: RequestWait): Promise<Answer>;
  /** Takes away the worktrees of lanes that are merged and, unless only those are meant, of dropped ones; with `dryRun` tells what it would do. */
  clean(options: { merged: boolean; dryRun: boolean }): Promise<CleanAnswer>;
  /** Makes lanes by hand of worktrees whose run is lost, by folder or name; nothing in them is touched. */
  adopt(which: readonly string[]): Promise<LaneView[]>;
  orphans(): Promise<OrphanView[]>;
  /** Ends them by pid and start time; tells what became of each. */
  stopOrphans(
    orphans: readonly OrphanView[],
  ): Promise<{ pid: number; result: 'ended' | 'gone' | 'refused'; why?: string }[]>;
  /** What the processes of a lane use now; null when none runs. */
  resources(lane: string): Promise<LaneResources | null>;
}

import type { Request } from '../../../../../src/core/run/request.ts';
import type { RunEvent } from '../../../../../src/core/run/runEvent.ts';
import { Processes } from './processes.ts';
import type { Scenario } from './scenario.ts';

interface Lease {
  owner: string;
  /** The process that took it; the lease lives with it, or with the step of the folder. */
  process: number;
  holder: string;
}

/** Everything that outlives the owner of a run: its folder, git, processes and leases. */
export class World {
  readonly scenario: Scenario;
  readonly journal: RunEvent[] = [];
  readonly requests: Request[] = [];
  readonly processes = new Processes();
  readonly leases = new Map<string, Lease>();
  /** Accounts that another run writes under. */
  readonly foreign = new Set<string>();
  /** Who merges into the target: this run, another one, or nobody. */
  mergeLock: 'ours' | 'foreign' | 'free' = 'free';
  /** Parents of every commit. */
  readonly commits = new Map<string, string[]>([['t0', []]]);
  target = 't0';
  /** Tips of the lanes' branches, which their worktrees stand on. */
  readonly tips = new Map<string, string>();
  /** What the merge worktree holds. */
  mergeTree = 't0';
  /** Checks that truly ran and passed, by the commit that they ran on. */
  readonly evidence = new Map<string, Set<string>>();
  /** Number of the living owner; 0 when there is none. */
  owner = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
  }

  commit(...parents: string[]): string {
    const made = `c${this.commits.size}`;
    this.commits.set(made, parents);
    return made;
  }

  isAncestor(ancestor: string, commit: string): boolean {
    return (
      ancestor === commit ||
      (this.commits.get(commit) ?? []).some((parent) => this.isAncestor(ancestor, parent))
    );
  }

  isHeld(account: string): boolean {
    const lease = this.leases.get(account);
    if (this.foreign.has(account)) return true;
    return lease !== undefined && (lease.process === this.owner || this.processes.lives(lease.holder));
  }

  /** As the real leases: false when somebody else has it, and taking it again renews it. */
  takeLease(account: string, owner: string, holder: string): boolean {
    if (this.foreign.has(account)) return false;
    if (this.isHeld(account) && this.leases.get(account)?.owner !== owner) return false;
    this.leases.set(account, { owner, process: this.owner, holder });
    return true;
  }

  releaseLeases(owner: string): void {
    for (const [account, lease] of this.leases) if (lease.owner === owner) this.leases.delete(account);
  }
}

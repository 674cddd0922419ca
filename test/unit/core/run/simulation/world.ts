import assert from 'node:assert/strict';
import type { AccountFact } from '../../../../../src/core/run/facts.ts';
import type { Request } from '../../../../../src/core/run/request.ts';
import type { RunEvent } from '../../../../../src/core/run/runEvent.ts';
import type { RunState } from '../../../../../src/core/run/runState.ts';
import { Git } from './git.ts';
import { Processes } from './processes.ts';
import type { Scenario } from './scenario.ts';

interface Lease {
  owner: string;
  /** The process that took it; the lease lives with it, or with the step of the folder. */
  process: number;
  holder: string;
}

/** The person's own worktree, in which nothing of ours has any business. */
export const personsOwn = '/person';

/** Everything that outlives the owner of a run: its folder, git, processes and leases. */
export class World {
  readonly scenario: Scenario;
  readonly journal: RunEvent[] = [];
  /** What the journal tells, as the last owner knew it. */
  state: RunState | undefined;
  readonly requests: Request[] = [];
  readonly processes = new Processes();
  readonly leases = new Map<string, Lease>();
  /** Accounts that another run writes under. */
  readonly foreign = new Set<string>();
  /** Who merges into the target: this run, another one, or nobody. */
  mergeLock: 'ours' | 'foreign' | 'free' = 'free';
  readonly git = new Git();
  /** What the merge worktree holds. */
  mergeTree = 't0';
  /** Checks that truly ran and passed, by the commit that they ran on. */
  readonly evidence = new Map<string, Set<string>>();
  /** Number of the living owner; 0 when there is none. */
  owner = 0;
  /** Requests before this one came while everybody did what they liked. */
  calmSince = 0;
  readonly accounts: AccountFact[];
  /** Limits that agents meet are over later, once the run is left to itself. */
  now = '2026-03-02T12:00:00.000Z';
  /** What was looked at already. */
  checked = 0;
  /** Counts what must be told apart: nonces, rescues. */
  #names = 0;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.accounts = [...scenario.accounts];
    this.git.addWorktree(personsOwn, 'person', 't0', 'of the person');
    this.git.write(personsOwn, 'of the person');
  }

  name(): number {
    this.#names += 1;
    return this.#names;
  }

  get target(): string {
    return this.git.refs.get('main') ?? '';
  }

  set target(commit: string) {
    this.git.setRef('main', commit);
  }

  /** Tip of a lane's branch. */
  tip(lane: string): string | undefined {
    return this.git.refs.get(`lane/${lane}`);
  }

  /** Folder of a lane's worktree, where one stands. */
  pathOf(lane: string): string | undefined {
    return [...this.git.worktrees].find(([, { branch }]) => branch === `lane/${lane}`)?.[0];
  }

  /** Only what the journal says that we made is taken away. */
  removeWorktree(path: string): void {
    const nonce = this.git.worktrees.get(path)?.nonce;
    if (nonce === undefined) return;
    const ours = this.journal.some((event) => 'worktree' in event && event.worktree.nonce === nonce);
    assert.ok(ours, `${path} is not ours`);
    this.git.removeWorktree(path);
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

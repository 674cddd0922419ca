import type { Job, Plan, ResolvedPlan } from '../plan/plan.ts';
import { normalAccount } from '../accounts/account.ts';
import type { AccountFact } from './facts.ts';
import { loginOf } from './loginOf.ts';
import type { Exclusion } from './runState.ts';
import { withExclusions, type SeenAccount } from './withExclusions.ts';

export type Assignment = { job: string } & (
  | { account: AccountFact }
  /** Something is in use that will be free again. */
  | { waits: string }
  /** Nothing that could run it qualifies. `next_reset_at` is the soonest reset that could change that. */
  | { blocked: string; next_reset_at: string | null }
);

type Pool = Pick<ResolvedPlan, 'accounts'>;

/**
 * Gives the waiting jobs accounts, in plan order: the best free one each, no more writers an account than it has
 * slots, two profiles of one login being one account, and never more writers in all than `places`. An account of
 * which nothing is known is used only by a job that names it, and no account by a job that it is kept from.
 */
export function assign(
  jobs: readonly Job[],
  pool: Pool,
  accounts: readonly AccountFact[],
  places: number,
  keptFrom: (job: Job) => readonly Exclusion[] = () => [],
): Assignment[] {
  const given = new Map<string, number>();
  const hasRoom = (each: AccountFact) => roomOf(each) > (given.get(loginOf(each)) ?? 0);
  let free = places;
  return jobs.map((job): Assignment => {
    // By its login an account is kept from a job also where the job does not mean it.
    const seen = withExclusions(forModel(accounts, job.model), keptFrom(job));
    const considered = seen.filter((each) => isMeant(job, pool, each));
    const able = considered.filter(
      ({ qualifies, unknown }) => qualifies || (unknown && job.account !== undefined),
    );
    if (able.length === 0) return { job: job.id, ...whyNone(job, considered) };
    const account = able.find(hasRoom);
    if (account === undefined)
      return { job: job.id, waits: `waits for a free account (${able.length} in use)` };
    if (free <= 0)
      return { job: job.id, waits: 'waits for a free place: the plan allows no more writers at once' };
    free -= 1;
    given.set(loginOf(account), (given.get(loginOf(account)) ?? 0) + 1);
    return { job: job.id, account };
  });
}

/** Whether any job of a plan may use an account. */
export function meansAccount(
  plan: Pick<Plan, 'accounts' | 'jobs'>,
  account: Pick<AccountFact, 'account' | 'kind'>,
): boolean {
  return plan.jobs.some((job) => isMeant(job, plan, account));
}

/** The models that jobs of a plan name, each once. */
export function modelsOf({ jobs }: Pick<Plan, 'jobs'>): string[] {
  return [...new Set(jobs.flatMap(({ model }) => model ?? []))];
}

/** Writers that it may still get. */
function roomOf({ busy, slots = 1, writers = busy ? slots : 0 }: AccountFact): number {
  return slots - writers;
}

/** The accounts as a job of this model sees them, best first. */
function forModel(accounts: readonly AccountFact[], model: string | undefined): AccountFact[] {
  if (model === undefined) return [...accounts];
  return accounts
    .map((each) => ({ ...each, ...(each.models?.[model] ?? {}) }))
    .toSorted((a, b) => Math.floor(b.headroom_pct ?? -1) - Math.floor(a.headroom_pct ?? -1));
}

/** A job means its own account, else every account of its kind in the plan's pool. */
function isMeant(
  job: Pick<Job, 'account' | 'kind'>,
  pool: Pool,
  { account, kind }: Pick<AccountFact, 'account' | 'kind'>,
): boolean {
  const isIt = (name: string) => normalAccount(name) === normalAccount(account);
  if (job.account !== undefined) return isIt(job.account);
  return (job.kind ?? kind) === kind && (pool.accounts?.some(isIt) ?? true);
}

function whyNone(
  job: Job,
  considered: readonly SeenAccount[],
): { blocked: string; next_reset_at: string | null } {
  const wanted = job.account ?? (job.kind === undefined ? 'any kind' : `kind ${job.kind}`);
  if (considered.length === 0) {
    const example = job.account?.replace('/', ' ') ?? `${job.kind ?? 'demo'} @one`;
    return {
      blocked: `There is no account of ${wanted}. Add one: ak profiles add ${example}`,
      next_reset_at: null,
    };
  }
  const soonestOf = (of: readonly SeenAccount[]) =>
    of.flatMap(({ resets_at }) => resets_at ?? []).sort()[0] ?? null;
  const soonest = soonestOf(considered);
  const reasons = considered
    .map(({ account, reason }) => `${account}: ${reason ?? 'quota not known'}`)
    .join('; ');
  const reset = soonest === null ? 'no reset is known' : `the soonest reset is ${soonest}`;
  return {
    blocked: `No account of ${wanted} qualifies (${reasons}); ${reset}.`,
    next_reset_at: soonestOf(considered.filter(({ excluded }) => !excluded)),
  };
}

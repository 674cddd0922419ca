import type { Job, ResolvedPlan } from '../plan/plan.ts';
import type { AccountFact } from './facts.ts';

export type Assignment = { job: string } & (
  | { account: AccountFact }
  /** Something is in use that will be free again. */
  | { waits: string }
  /** Nothing that could run it qualifies. */
  | { blocked: string; next_reset_at: string | null }
);

type Pool = Pick<ResolvedPlan, 'accounts'>;

/**
 * Gives the waiting jobs accounts, in plan order: the best free one each, one writer an account, and never
 * more writers than `slots`. An account of which nothing is known is used only by a job that names it.
 */
export function assign(
  jobs: readonly Job[],
  pool: Pool,
  accounts: readonly AccountFact[],
  slots: number,
): Assignment[] {
  const taken = new Set(accounts.filter(({ busy }) => busy).map(({ account }) => account));
  let free = slots;
  return jobs.map((job): Assignment => {
    const considered = accounts.filter((each) => isMeant(job, pool, each));
    const able = considered.filter(
      ({ qualifies, unknown }) => qualifies || (unknown && job.account !== undefined),
    );
    if (able.length === 0) return { job: job.id, ...whyNone(job, considered) };
    const account = able.find((each) => !taken.has(each.account));
    if (account === undefined)
      return { job: job.id, waits: `waits for a free account (${able.length} in use)` };
    if (free <= 0)
      return { job: job.id, waits: 'waits for a free place: the plan allows no more writers at once' };
    free -= 1;
    taken.add(account.account);
    return { job: job.id, account };
  });
}

/** A job means its own account, else every account of its kind in the plan's pool. */
function isMeant(job: Job, pool: Pool, { account, kind }: AccountFact): boolean {
  if (job.account !== undefined) return account === job.account;
  return (job.kind ?? kind) === kind && (pool.accounts?.includes(account) ?? true);
}

function whyNone(
  job: Job,
  considered: readonly AccountFact[],
): { blocked: string; next_reset_at: string | null } {
  const wanted = job.account ?? (job.kind === undefined ? 'any kind' : `kind ${job.kind}`);
  if (considered.length === 0) {
    const example = job.account?.replace('/', ' ') ?? `${job.kind ?? 'demo'} @one`;
    return {
      blocked: `There is no account of ${wanted}. Add one: ak profiles add ${example}`,
      next_reset_at: null,
    };
  }
  const soonest = considered.flatMap(({ resets_at }) => resets_at ?? []).sort()[0] ?? null;
  const reasons = considered
    .map(({ account, reason }) => `${account}: ${reason ?? 'quota not known'}`)
    .join('; ');
  const reset = soonest === null ? 'no reset is known' : `the soonest reset is ${soonest}`;
  return { blocked: `No account of ${wanted} qualifies (${reasons}); ${reset}.`, next_reset_at: soonest };
}

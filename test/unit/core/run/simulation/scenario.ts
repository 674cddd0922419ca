import type { ResolvedPlan } from '../../../../../src/core/plan/plan.ts';
import type { AccountFact } from '../../../../../src/core/run/facts.ts';
import { account, job, plan } from '../samples.ts';
import { Dice, fateOf } from './dice.ts';

/** A plan, accounts, and what agents, checks and git will answer, all of it from one seed. */
export interface Scenario {
  seed: number;
  plan: ResolvedPlan;
  accounts: AccountFact[];
}

const names = ['api', 'docs', 'web', 'core', 'cli'];

export function makeScenario(seed: number): Scenario {
  const dice = new Dice(seed);
  const ids = names.slice(0, 2 + dice.below(4));
  const jobs = ids.map((id, index) =>
    job(id, {
      depends_on: ids.slice(0, index).filter(() => dice.chance(0.25)),
      ...(dice.chance(0.15) && { account: 'demo/@1' }),
    }),
  );
  const accounts = Array.from({ length: 1 + dice.below(3) }, (_, index) =>
    account(
      `demo/@${index + 1}`,
      index > 0 && dice.chance(0.15) ? { qualifies: false, reason: 'used up' } : {},
    ),
  );
  const concurrency = dice.chance(0.5) ? { concurrency: 1 + dice.below(3) } : {};
  return { seed, plan: plan(jobs, concurrency), accounts };
}

export type Fate = 'attempt' | 'quota' | 'settle' | 'create' | 'check' | 'conflict';

/** Whether something goes well; the same every time that the same is asked of the same scenario. */
export function goesWell({ seed }: Scenario, what: Fate, which: string): boolean {
  const odds: Record<Fate, number> = {
    attempt: 0.8,
    quota: 0.5,
    settle: 0.93,
    create: 0.95,
    check: 0.9,
    conflict: 0.93,
  };
  return fateOf(seed, `${what} ${which}`).chance(odds[what]);
}

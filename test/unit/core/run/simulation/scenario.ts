import type { ResolvedPlan } from '../../../../../src/core/plan/plan.ts';
import type { AccountFact } from '../../../../../src/core/run/facts.ts';
import { account, job, plan } from '../samples.ts';
import { Dice, fateOf } from './dice.ts';

/** A plan, accounts, and what agents, checks and git will answer, all of it from one seed. */
export interface Scenario {
  seed: number;
  plan: ResolvedPlan;
  accounts: AccountFact[];
  /** A standing run: lanes are made by hand. */
  standing: boolean;
  /** Accounts can turn out to be of no use, so that the end depends on who was faster. */
  rough: boolean;
  /** What agents and tools say. */
  text: string;
}

const names = ['api', 'docs', 'web', 'core', 'cli'];
export const byHand = ['hand', 'foot'];

export function makeScenario(seed: number, rough = false, text = 'it is so'): Scenario {
  const dice = new Dice(seed);
  const ids = names.slice(0, 2 + dice.below(4));
  const standing = rough && dice.chance(0.15);
  const jobs = ids.map((id, index) =>
    job(id, {
      prompt: text,
      depends_on: ids.slice(0, index).filter(() => dice.chance(0.25)),
      ...(dice.chance(0.15) && { account: 'demo/@1' }),
      ...(dice.chance(0.3) && { max_attempts: 1 + dice.below(3) }),
    }),
  );
  const accounts = Array.from({ length: 1 + dice.below(3) }, (_, index) =>
    account(
      `demo/@${index + 1}`,
      index > 0 && dice.chance(0.2)
        ? { qualifies: false, reason: 'used up', resets_at: dice.pick([null, '2026-03-02T20:00:00Z']) }
        : {},
    ),
  );
  const made = plan(standing ? [] : jobs, {
    on_limit: dice.pick(['restart', 'continue', 'handover']),
    when_empty: dice.pick(['stop', 'wait']),
    ...(dice.chance(0.5) ? { concurrency: 1 + dice.below(3) } : {}),
    ...(dice.chance(0.5) && {
      worktree: { ...noSettings, setup: ['one', 'two'].slice(0, 1 + dice.below(2)) },
    }),
  });
  return { seed, plan: made, accounts, standing, rough, text };
}

const noSettings = { copy: [], link: [], setup: [], teardown: [], ports: {}, setup_timeout: 60 };

/** Lanes that there are or can be. */
export function laneIds({ plan: { jobs }, standing }: Scenario): string[] {
  return standing ? byHand : jobs.map(({ id }) => id);
}

export type Fate =
  'settle' | 'create' | 'check' | 'conflict' | 'setup' | 'close' | 'continue' | 'foreign' | 'reset';

/** Whether something goes well; the same every time that the same is asked of the same scenario. */
export function goesWell({ seed }: Scenario, what: Fate, which: string): boolean {
  const odds: Record<Fate, number> = {
    settle: 0.93,
    create: 0.95,
    check: 0.9,
    conflict: 0.93,
    setup: 0.95,
    close: 0.9,
    continue: 0.6,
    foreign: 0.95,
    reset: 0.5,
  };
  return fateOf(seed, `${what} ${which}`).chance(odds[what]);
}

/** How an agent will end, and why, and what it will have left by then. */
export interface AttemptFate {
  result: 'succeeded' | 'failed' | 'timeout' | 'stopped';
  why?: 'limit' | 'account';
  /** Files that it commits, and files that it leaves uncommitted. */
  commits: number;
  dirty: number;
}

export function attemptFate({ seed, rough }: Scenario, folder: string): AttemptFate {
  const dice = fateOf(seed, `attempt ${folder}`);
  const left = { commits: dice.below(2), dirty: dice.below(2) };
  const roll = dice.roll();
  if (roll < 0.6) return { result: 'succeeded', commits: left.commits, dirty: 1 };
  if (roll < 0.75) return { result: 'failed', why: 'limit', ...left };
  if (roll < 0.83) return { result: 'timeout', ...left };
  if (roll < 0.88) return { result: 'stopped', ...left };
  if (rough && roll < 0.91) return { result: 'failed', why: 'account', ...left };
  return { result: 'failed', ...left };
}

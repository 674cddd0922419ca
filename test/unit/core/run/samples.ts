import type { Job, ResolvedPlan } from '../../../../src/core/plan/plan.ts';
import { jobSchema } from '../../../../src/core/plan/plan.ts';
import { fold } from '../../../../src/core/run/fold.ts';
import type { AccountFact, Facts } from '../../../../src/core/run/facts.ts';
import type { RunEvent, RunEventBody } from '../../../../src/core/run/runEvent.ts';
import type { LaneRecord, RunState } from '../../../../src/core/run/runState.ts';

export function job(id: string, more: Partial<Job> = {}): Job {
  return { ...jobSchema.parse({ id, prompt: `Do ${id}.` }), kind: 'demo', ...more };
}

/** Two checks, as many writers as there are accounts. */
export function plan(jobs: readonly Job[], more: Partial<ResolvedPlan> = {}): ResolvedPlan {
  return {
    version: 1,
    name: 'sample',
    base: 'main',
    gate: ['test', 'lint'].map((name) => ({ name, run: `npm run ${name}`, timeout: 60, matcher: '$auto' })),
    merge: { strategy: 'merge', into: 'main' },
    commit: 'kit',
    on_limit: 'restart',
    when_empty: 'stop',
    jobs: [...jobs],
    ...more,
  };
}

export function created(lanes: readonly string[]): Extract<RunEventBody, { type: 'run.created' }> {
  const main = { ref: 'main', sha: 't0' };
  return {
    type: 'run.created',
    run: 'r1',
    name: 'sample',
    plan_sha256: '',
    repo: '/repo',
    base: main,
    target: main,
    report: '/report',
    lanes: [...lanes],
  };
}

/** Events as the journal stamps them: one a second. */
export function stamped(bodies: readonly RunEventBody[], after = 0): RunEvent[] {
  return bodies.map((body, index) => {
    const seq = after + index + 1;
    return { seq, at: new Date(Date.UTC(2026, 2, 2, 10, 0, seq)).toISOString(), ...body };
  });
}

/** The state of a run of this plan after these events. */
export function stateAfter(made: ResolvedPlan, ...bodies: RunEventBody[]): RunState {
  return fold(made, stamped([created(made.jobs.map(({ id }) => id)), ...bodies]));
}

export function laneOf(state: RunState, id: string): LaneRecord {
  const lane = state.lanes.find((each) => each.id === id);
  if (lane === undefined) throw new Error(`no lane ${id}`);
  return lane;
}

/** Nothing is known, nothing is asked, and everything is allowed, but for what the test says. */
export function facts(more: Partial<Facts> = {}): Facts {
  return { accounts: [], steps: {}, requests: [], mayMerge: true, startNew: true, ...more };
}

export function account(name: string, more: Partial<AccountFact> = {}): AccountFact {
  const kind = name.slice(0, name.indexOf('/'));
  const rest = { headroom_pct: 50, resets_at: null, qualifies: true, unknown: false, busy: false };
  return { account: name, kind, ...rest, ...more };
}

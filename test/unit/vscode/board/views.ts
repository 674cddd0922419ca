import type { LaneView, RunView } from '../../../../src/core/lanes/laneView.ts';
import type { AccountReading } from '../../../../src/core/accounts/usage.ts';
import type { PlanPreview } from '../../../../src/engine/agentKitTypes.ts';

export const now = '2026-03-02T10:00:00.000Z';
const started = '2026-03-02T09:58:00.000Z';
const noGate: LaneView['gate'] = { status: 'none', head: null, message: null, checks: [] };

/** A lane of job `api` that has just been queued, but for what the test says. */
export function makeLane(more: Partial<LaneView> = {}): LaneView {
  return {
    lane: 'api',
    job: 'api',
    run: 'r1',
    branch: null,
    path: null,
    base: null,
    head: null,
    state: 'queued',
    since: started,
    account: null,
    headroom_pct: null,
    title: 'Write the API',
    paths: ['src/api/**'],
    depends_on: [],
    attempts: [],
    changes: { files: 0, insertions: 0, deletions: 0, commits: 0, outside_paths: [] },
    gate: noGate,
    merge_gate: noGate,
    mergeable: false,
    why_not: [],
    warnings: [],
    folder_gone: false,
    by_hand: false,
    ports: {},
    closing: null,
    rescue: null,
    rescues: [],
    removed: null,
    stalled_since: null,
    waiting: null,
    activity: null,
    ...more,
  };
}

/** A lane with a worktree, an attempt and a change in it. */
export function makeWorkedLane(more: Partial<LaneView> = {}): LaneView {
  const attempt = { n: 1, account: 'demo/@one', exit: 0, outcome: 'succeeded', started_at: started };
  return makeLane({
    branch: 'lane/api',
    path: '/lanes/api',
    base: { ref: 'main', sha: 'a'.repeat(40) },
    head: 'b'.repeat(40),
    account: 'demo/@one',
    attempts: [{ ...attempt, ended_at: now, session_id: null, message: null, usage: null }],
    changes: { files: 2, insertions: 12, deletions: 3, commits: 1, outside_paths: [] },
    ...more,
  });
}

export function makeRun(more: Partial<RunView> = {}): RunView {
  return {
    run: 'r1',
    name: 'billing',
    status: 'running',
    created_at: started,
    updated_at: now,
    seq: 9,
    folder: '/repo/.git/agentkit/runs/r1',
    report: '/repo/plans/reports/r1',
    base: { ref: 'main', sha: 'a'.repeat(40) },
    target: { ref: 'main', sha: 'a'.repeat(40) },
    resumable: false,
    target_moves: [],
    gate: [{ name: 'test', run: 'npm test' }],
    standing: false,
    spent: null,
    owner: { pid: 7, head: 'editor', self: true, alive: true },
    lanes: [],
    ...more,
  };
}

/** An account with one weekly window; `free` in percent. */
export function makeReading(
  profile: string,
  free: number,
  more: Partial<AccountReading> = {},
): AccountReading {
  const window = { id: 'weekly', label: 'weekly', seconds: 604_800, resets_at: '2026-03-05T10:00:00.000Z' };
  return {
    kind: 'demo',
    profile,
    status: 'ok',
    read_at: now,
    age_s: 0,
    windows: [{ ...window, used_pct: 100 - free, free_pct: free }],
    ...more,
  };
}

/** A plan of two jobs, the second after the first, on one account. */
export function makePreview(more: Partial<PlanPreview> = {}): PlanPreview {
  const job = {
    task: 'implement',
    importance: 'normal',
    effect: 'write',
    timeout: 1800,
    expects: 'changes',
    max_attempts: 2,
  } as const;
  const account = { name: 'demo/@one', headroom_pct: 50, resets_at: '2026-03-05T10:00:00.000Z' };
  return {
    problems: [],
    lanes: null,
    plan: {
      version: 1,
      name: 'billing',
      base: 'main',
      gate: [{ name: 'test', run: 'npm test', timeout: 600, matcher: '$auto' }],
      merge: { strategy: 'merge', into: 'main' },
      commit: 'kit',
      on_limit: 'restart',
      when_empty: 'stop',
      jobs: [
        {
          ...job,
          id: 'api',
          kind: 'demo',
          prompt: '\nWrite the API\nwith care\n',
          paths: ['src/api/**'],
          depends_on: [],
        },
        {
          ...job,
          id: 'docs',
          account: 'demo/@one',
          prompt: 'Document it',
          paths: ['docs'],
          depends_on: ['api'],
        },
      ],
    },
    base: { ref: 'main', sha: 'b'.repeat(40), how: 'the main of this clone', warnings: [] },
    overlaps: [],
    stages: [['api'], ['docs']],
    jobs: [
      { job: 'api', stage: 0, account, waits: null },
      { job: 'docs', stage: 1, account: null, waits: 'waits for api' },
    ],
    writers: 1,
    gateSource: 'plan',
    accounts: [makeReading('@one', 60)],
    next_reset_at: null,
    asked_by: [],
    whyNot: [],
    refusal: null,
    ...more,
  };
}

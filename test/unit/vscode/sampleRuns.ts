import type { AccountReading } from '../../../src/core/accounts/usage.ts';
import type { CheckView, LaneView, RunView } from '../../../src/core/lanes/laneView.ts';
import type { AccountView } from '../../../src/vscode/stores/accountView.ts';
import type { Render } from '../../../src/vscode/platform/render.ts';

/** A Monday. */
export const now = Date.parse('2026-03-02T12:00:00Z');

/** `l10n.t` without translations. */
export const t: Render['t'] = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)]));

export const render: Render = { t, now, locale: 'en-GB', timeZone: 'UTC' };

/** A lane whose agent has run for four minutes. */
export function sampleLane(changes: Partial<LaneView> = {}): LaneView {
  return {
    lane: 'api',
    job: 'api',
    run: 'run-1',
    branch: 'lane/api',
    path: '/lanes/api',
    base: { ref: 'main', sha: 'b'.repeat(40) },
    head: 'a'.repeat(40),
    state: 'running',
    since: '2026-03-02T11:56:00Z',
    account: 'demo/@one',
    headroom_pct: 62,
    title: 'Implement the API',
    paths: ['src/api/**'],
    depends_on: [],
    attempts: [
      {
        n: 1,
        account: 'demo/@one',
        exit: null,
        outcome: 'running',
        started_at: '2026-03-02T11:56:00Z',
        ended_at: null,
        session_id: null,
        message: null,
        usage: null,
      },
    ],
    changes: { files: 3, insertions: 120, deletions: 8, commits: 1, outside_paths: [] },
    gate: { status: 'none', head: null, message: null, checks: [] },
    merge_gate: { status: 'none', head: null, message: null, checks: [] },
    mergeable: false,
    why_not: ['its agent is at work'],
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
    activity: 'Writing src/api/invoice.ts',
    ...changes,
  };
}

export function sampleRun(changes: Partial<RunView> = {}): RunView {
  return {
    run: 'run-1',
    name: 'billing',
    status: 'running',
    created_at: '2026-03-02T11:48:00Z',
    updated_at: '2026-03-02T11:59:00Z',
    seq: 9,
    folder: '/repo/.git/agentkit/runs/run-1',
    report: '/repo/plans/reports/run-1',
    base: { ref: 'main', sha: 'b'.repeat(40) },
    target: { ref: 'main', sha: 'b'.repeat(40) },
    resumable: changes.status === 'interrupted',
    target_moves: [],
    gate: [{ name: 'test', run: 'npm test' }],
    standing: false,
    spent: null,
    owner: { pid: 7, head: 'editor', self: true, alive: true },
    lanes: [sampleLane()],
    ...changes,
  };
}

export function sampleCheck(changes: Partial<CheckView> = {}): CheckView {
  return {
    name: 'test',
    status: 'failed',
    exit: 1,
    duration_s: 2.4,
    message: 'exit 1',
    findings: [],
    more_findings: 0,
    ...changes,
  };
}

/** An account of the demo as the views show it. */
export function sampleView(
  reading: Partial<AccountReading> = {},
  changes: Partial<AccountView> = {},
): AccountView {
  return {
    kind: 'demo',
    profile: '@one',
    name: 'demo/@one',
    folder: '/profiles/demo/one',
    logsIn: false,
    hasScreen: false,
    reading: sampleAccount(reading),
    heldBy: [],
    sameLogin: [],
    ...changes,
  };
}

export function sampleAccount(changes: Partial<AccountReading> = {}): AccountReading {
  return {
    kind: 'demo',
    profile: '@one',
    status: 'ok',
    read_at: '2026-03-02T11:57:00Z',
    age_s: 180,
    windows: [
      {
        id: '5h',
        label: '5h',
        seconds: 18_000,
        used_pct: 20,
        free_pct: 80,
        resets_at: '2026-03-02T14:30:00Z',
      },
      {
        id: 'weekly',
        label: 'weekly',
        seconds: 604_800,
        used_pct: 28,
        free_pct: 72,
        resets_at: '2026-03-03T09:00:00Z',
      },
    ],
    ...changes,
  };
}

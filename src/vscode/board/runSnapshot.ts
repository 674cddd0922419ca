import type { AccountReading } from '../../core/accounts/usage.ts';
import type { LaneState } from '../../core/lanes/laneState.ts';
import type { LaneView, RunView } from '../../core/lanes/laneView.ts';
import type { BoardCard, BoardSnapshot } from '../../protocol/boardMessages.ts';
import { accountStrip } from './accountStrip.ts';
import { laneActions } from './laneActions.ts';
import { laneColumn } from './laneColumn.ts';
import { runActions } from './runActions.ts';

/** What the board of a run needs besides the run. */
export interface RunBoardFacts {
  accounts: readonly AccountReading[];
  /** Prompts of the run's plan, by job. */
  prompts: ReadonlyMap<string, string>;
  /** RFC 3339 time against which resets are judged. */
  now: string;
}

/** A run as its board shows it. */
export function runSnapshot(run: RunView, facts: RunBoardFacts): BoardSnapshot {
  const atRest = run.status !== 'running' && run.status !== 'stopping';
  const working = run.lanes.filter((lane) => lane.state === 'preparing' || lane.state === 'running');
  const usedBy = new Map(
    working.flatMap((lane) => (lane.account === null ? [] : [[lane.account, lane.job]])),
  );
  return {
    mode: 'run',
    title: run.name,
    status: statusOf(run),
    base: run.base.ref,
    target: run.target.ref,
    gate: run.gate,
    // The run keeps the checks, not where they were found.
    gateSource: '',
    writers: working.length,
    accounts: accountStrip(facts.accounts, usedBy, facts.now),
    overlaps: [],
    problems: [],
    start: null,
    startedAt: run.created_at,
    endedAt: atRest ? run.updated_at : null,
    actions: runActions(run),
    cards: run.lanes.map((lane) => laneCard(lane, facts)),
  };
}

function laneCard(lane: LaneView, facts: RunBoardFacts): BoardCard {
  const account = facts.accounts.find(({ kind, profile }) => `${kind}/${profile}` === lane.account);
  const [strip] = account ? accountStrip([account], new Map(), facts.now) : [];
  return {
    id: lane.lane,
    title: lane.title,
    column: laneColumn[lane.state],
    state: lane.state,
    account: lane.account,
    headroomPct: lane.headroom_pct,
    resetsAt: strip?.resetsAt ?? null,
    since: lane.since,
    activity: lane.activity,
    paths: lane.paths,
    after: lane.depends_on,
    changes: lane.changes.commits > 0 || lane.changes.files > 0 ? countsOf(lane) : null,
    checks: checksOf(lane),
    reasons: reasonsOf(lane),
    prompt: facts.prompts.get(lane.job) ?? lane.title,
    actions: laneActions(lane),
  };
}

function countsOf({ changes: { files, insertions, deletions } }: LaneView): BoardCard['changes'] {
  return { files, insertions, deletions };
}

/** The gate that decides now: of the merged tree once there is one. */
function checksOf(lane: LaneView): BoardCard['checks'] {
  const gate = lane.merge_gate.status === 'none' ? lane.gate : lane.merge_gate;
  return gate.checks.map(({ name, status }) => ({ name, status }));
}

/** States in which work goes on and why the lane cannot be merged yet is no news. */
const underWay: ReadonlySet<LaneState> = new Set([
  'preparing',
  'running',
  'verifying',
  'reviewing',
  'merging',
  'merged',
]);

/** A card has its state as a word, which is also the first reason of a lane; only what follows is news. */
function reasonsOf({ state, why_not, warnings }: LaneView): string[] {
  const [, ...beyondState] = why_not;
  const why = state === 'ready' || beyondState.length === 0 ? why_not : beyondState;
  return [...(underWay.has(state) ? [] : why), ...warnings];
}

/** A run in which a lane failed tells what became of all: "failed" alone would hide what can be merged. */
function statusOf(run: RunView): string {
  if (run.status === 'failed') return countsByState(run.lanes);
  const merged = run.lanes.filter((lane) => lane.state === 'merged').length;
  return merged > 0 ? `${run.status}, ${merged} of ${run.lanes.length} merged` : run.status;
}

/** `1 failed, 2 ready`, in the order of the board's columns. */
function countsByState(lanes: readonly LaneView[]): string {
  const states = Object.keys(laneColumn).map((state) => {
    const count = lanes.filter((lane) => lane.state === state).length;
    return count === 0 ? '' : `${count} ${state}`;
  });
  return states.filter(Boolean).join(', ');
}

import { counted } from '../counted.ts';
import { folderGone } from '../lanes/folderGone.ts';
import { isActive } from './isActive.ts';
import { noTarget, whyNoTarget } from './noTarget.ts';
import { isWriting } from './isWriting.ts';
import { deadPredecessor, mayBegin, predecessorsOf } from './predecessors.ts';
import { needsSetup } from './decideLane.ts';
import { planResume } from './planResume.ts';
import { pendingStep, runningSetup } from './stepFolders.ts';
import type { Closing, GateState, LaneRecord, RunState } from './runState.ts';
import type { LaneView, RunView } from '../lanes/laneView.ts';

/** What a view shows besides the journal. */
export interface ViewFacts {
  folder: string;
  owner: RunView['owner'];
  /** Last line of progress by lane. */
  activity: Readonly<Record<string, string>>;
  /** Since when a lane's agent shows no sign of life. */
  stalled?: Readonly<Record<string, string>>;
  /** Lanes in which none of our processes is alive; matters only while nobody owns the run. */
  idle?: ReadonlySet<string>;
  /** Lanes whose worktree's folder is not there. */
  gone?: ReadonlySet<string>;
  /** Lanes for whose merge somebody waits. */
  mergeAsked?: ReadonlySet<string>;
  /** The machine has too little memory for an agent beside others. */
  memoryIsShort?: boolean;
}

/** The run as trees, board and `ak … --json` show it. */
export function toRunView(state: RunState, facts: ViewFacts): RunView {
  const { run, name, created_at, updated_at, seq, report, base, target, plan } = state;
  const isUnderWay =
    restingStatus(state) === 'running' || state.status === 'stopping' || state.lanes.some(isActive);
  const deserted = facts.owner?.alive === false && isUnderWay;
  const status = deserted && !waitsForMerge(state) ? 'interrupted' : restingStatus(state);
  return {
    run,
    name,
    status,
    resumable: status === 'interrupted' || (isAtRest(state, status) && planResume(state).length > 0),
    created_at,
    updated_at,
    seq,
    folder: facts.folder,
    report,
    base,
    target,
    target_moves: state.targetMoves,
    gate: plan.gate.map((check) => ({ name: check.name, run: check.run })),
    standing: state.standing,
    spent: state.spent ?? null,
    owner: facts.owner,
    lanes: state.lanes.map((lane) => toLaneView(state, lane, facts)),
  };
}

/** Nothing of it goes on before a person does something. */
function isAtRest(state: RunState, status: RunView['status']): boolean {
  return (
    (status !== 'running' && status !== 'stopping' && !state.lanes.some(isActive)) || waitsForMerge(state)
  );
}

/** A standing run has done what it can while nothing of it is under way. */
function restingStatus({ standing, status, lanes }: RunState): RunState['status'] {
  return standing && status === 'running' && !lanes.some((lane) => isActive(lane) || lane.state === 'queued')
    ? 'done'
    : status;
}

/** All that is left comes after a lane that a person has yet to merge: such a run is at rest and needs no owner. */
function waitsForMerge(state: RunState): boolean {
  const goesOn = (lane: LaneRecord) =>
    isActive(lane) ||
    mayBegin(state, lane) ||
    (lane.state === 'queued' && deadPredecessor(state, lane) !== undefined);
  const { lanes, status } = state;
  return status === 'running' && lanes.some((lane) => lane.state === 'queued') && !lanes.some(goesOn);
}

function toLaneView(
  state: RunState,
  lane: LaneRecord,
  { owner, activity, stalled = {}, idle, gone, mergeAsked, memoryIsShort = false }: ViewFacts,
): LaneView {
  const isLeft = isActive(lane) && owner?.alive === false;
  // Its journal says what was under way when its owner went; nothing of that is any more.
  const shown = isLeft && lane.closing === undefined && idle?.has(lane.id) ? 'interrupted' : lane.state;
  const stalledSince = shown === 'running' ? (stalled[lane.id] ?? null) : null;
  const place = gone?.has(lane.id) === true ? lane.worktree : undefined;
  // Without an owner nothing becomes of it before a person asks again.
  const waitsItsTurn = lane.state === 'ready' && owner?.alive === true && mergeAsked?.has(lane.id) === true;
  const byHand = lane.byHand && lane.attempts.length === 0;
  const none = { files: 0, insertions: 0, deletions: 0, commits: 0, outside_paths: [] };
  return {
    lane: lane.id,
    job: lane.job.id,
    run: state.run,
    branch: lane.worktree?.branch ?? null,
    path: lane.worktree?.path ?? null,
    base:
      lane.worktree === undefined
        ? null
        : {
            ref: lane.worktree.base_ref ?? state.base.ref,
            sha: lane.changesBase ?? lane.worktree.base,
          },
    head: lane.head ?? null,
    state: shown,
    since: lane.since,
    account: lane.account ?? null,
    headroom_pct: lane.headroom_pct ?? null,
    title: titleOf(lane),
    paths: lane.job.paths,
    depends_on: lane.job.depends_on,
    attempts: lane.attempts.map(
      ({ n, account, exit, outcome, started_at, ended_at, session_id, message, usage }) => ({
        n,
        account,
        exit,
        outcome,
        started_at,
        ended_at,
        session_id: session_id ?? null,
        message: message ?? null,
        usage: usage ?? null,
      }),
    ),
    changes: lane.changes ?? none,
    gate: gateView(lane.gate),
    merge_gate: gateView(lane.mergeGate),
    mergeable:
      lane.state === 'ready' && lane.closing === undefined && state.target.ref !== noTarget && !waitsItsTurn,
    why_not:
      (lane.state === 'ready' || lane.state === 'merged') && lane.closing === undefined
        ? [
            ...lane.reasons,
            ...(waitsItsTurn ? ['its merge was asked for and waits its turn'] : []),
            ...(lane.state === 'ready' && state.target.ref === noTarget
              ? [whyNoTarget(lane.worktree?.branch)]
              : []),
          ]
        : [
            isLeft ? 'its owner is gone; resume the run to go on' : whyNot(state, lane, memoryIsShort),
            ...(stalledSince === null
              ? []
              : [`its agent has said nothing and used no CPU since ${stalledSince}`]),
            ...lane.reasons,
          ],
    warnings: [
      ...(place === undefined ? [] : [folderGone({ ...place, lane: lane.id, state: shown, byHand })]),
      ...lane.warnings,
    ],
    folder_gone: place !== undefined,
    by_hand: lane.byHand,
    ports: lane.ports,
    closing: lane.closing?.why ?? null,
    rescue: lane.rescues.at(-1)?.ref ?? null,
    rescues: lane.rescues.map(({ ref, at, why, files, bytes, archive, not_kept }) => ({
      ref,
      at,
      why,
      files,
      bytes,
      archive: archive?.file ?? null,
      not_kept: not_kept.map(({ path, reason }) => `${path}: ${reason}`),
    })),
    removed: lane.removed ?? null,
    stalled_since: stalledSince,
    waiting: shown === 'waiting' ? (lane.waiting ?? null) : null,
    activity: shown === 'running' || shown === 'waiting' ? (activity[lane.id] ?? null) : null,
  };
}

/** First line of the prompt. */
function titleOf({ job }: LaneRecord): string {
  const line = job.prompt.trim().split('\n', 1)[0] ?? job.id;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function gateView(gate: GateState | undefined): LaneView['gate'] {
  if (gate === undefined) return { status: 'none', head: null, message: null, checks: [] };
  const checks = gate.checks.map((check) => ({ ...check, message: check.message ?? null }));
  return { status: gate.status, head: gate.head, message: gate.message ?? null, checks };
}

const closings: Record<Closing['why'], string> = {
  discard: 'it is being rescued and discarded',
  remove: 'its worktree is being taken away',
  restart: 'what it held is being rescued and taken away, so that it begins anew',
  blocked: 'what it holds is being rescued',
};

function whyNot(state: RunState, lane: LaneRecord, memoryIsShort: boolean): string {
  if (lane.closing !== undefined) return closings[lane.closing.why];
  switch (lane.state) {
    case 'queued':
      return whyQueued(state, lane);
    case 'preparing':
      return whyPreparing(state, lane, memoryIsShort);
    case 'running':
      return 'its agent is at work';
    case 'waiting':
      return 'its agent waits for somebody';
    case 'verifying':
      return 'its gate runs';
    case 'merging':
      return runningSetup(lane, state.plan) === undefined
        ? 'it is being merged'
        : 'it is being merged: the merged tree is set up';
    case 'failed':
      return 'it failed';
    case 'open':
      return 'its gate has not run';
    case 'blocked':
    case 'interrupted':
    case 'dropped':
    case 'passed':
    case 'reviewing':
    case 'ready':
    case 'merged':
      return `it is ${lane.state}`;
  }
}

/** Agents begin one after another; those whose turn has not come say what they wait for. */
function whyPreparing(state: RunState, lane: LaneRecord, memoryIsShort: boolean): string {
  if (lane.setup?.status === 'running' && pendingStep(lane, state.plan) !== undefined)
    return 'its setup runs';
  if (!lane.prepared || needsSetup(state, lane)) return 'its worktree is being made';
  return memoryIsShort
    ? 'waits for memory: too little is free for one more agent while others run'
    : 'its agent is next to begin';
}

function whyQueued(state: RunState, lane: LaneRecord): string {
  const before = predecessorsOf(state, lane).filter((each) => each.state !== 'merged');
  if (before.length > 0)
    return `comes after ${before.map(({ id, state: each }) => `${id}, which is ${each}`).join(', and ')}`;
  const { postponed } = lane;
  if (postponed !== undefined) return `waits until ${postponed.until}: ${postponed.message}`;
  const { concurrency } = state.plan;
  const isFull = concurrency !== undefined && state.lanes.filter(isWriting).length >= concurrency;
  return isFull
    ? `waits for a free place: the plan allows ${counted(concurrency, 'writer')} at once`
    : 'waits for a free account';
}

import type { CheckStatus } from '../../../../src/core/gates/finding.ts';
import type { RescueRecord } from '../../../../src/core/run/rescue.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';

/** What happens to a lane on its way, as bodies of events. Every lane stands at commit `<lane>1`. */
export function story(lane: string) {
  const head = `${lane}1`;
  const account = 'demo/@one';
  const worktree = { branch: `lane/${lane}`, path: `/lanes/${lane}`, base: 't0', nonce: 'n' };
  const changes = { files: 1, insertions: 2, deletions: 0, commits: 1, outside_paths: [] };
  return {
    assigned: (under = account): RunEventBody => ({
      type: 'lane.assigned',
      lane,
      account: under,
      headroom_pct: 50,
      worktree,
    }),
    created: (): RunEventBody => ({ type: 'lane.created', lane, warnings: [] }),
    blocked: (message = 'it cannot be made'): RunEventBody => ({ type: 'lane.blocked', lane, message }),
    started: (attempt = 1): RunEventBody => ({ type: 'attempt.started', lane, attempt, account }),
    waiting: (message = 'May it?'): RunEventBody => ({
      type: 'lane.waiting',
      lane,
      reason: 'permission',
      message,
      since: '2026-03-02T09:00:00.000Z',
    }),
    continued: (): RunEventBody => ({ type: 'lane.continued', lane }),
    ended: (
      outcome: 'succeeded' | 'failed' | 'timeout' | 'stopped' | 'lost' = 'succeeded',
      attempt = 1,
    ): RunEventBody => ({
      type: 'attempt.ended',
      lane,
      attempt,
      outcome,
      exit: outcome === 'succeeded' ? 0 : 1,
      ...(outcome !== 'succeeded' && { message: `the agent: ${outcome}` }),
    }),
    settled: (refused?: string): RunEventBody => ({
      type: 'lane.settled',
      lane,
      head,
      committed: [],
      changes,
      ...(refused !== undefined && { refused }),
    }),
    gateStarted: (gate = 1): RunEventBody => ({ type: 'gate.started', lane, gate, subject: 'lane', head }),
    checked: (name: string, status: CheckStatus = 'passed', gate = 1): RunEventBody => ({
      type: 'check.ended',
      lane,
      gate,
      result: {
        name,
        status,
        exit: status === 'passed' ? 0 : 1,
        duration_s: 1,
        findings: [],
        more_findings: 0,
        ...(status !== 'passed' && { message: 'exit 1' }),
      },
    }),
    gateEnded: (status: CheckStatus = 'passed', gate = 1): RunEventBody => ({
      type: 'gate.ended',
      lane,
      gate,
      status,
      left: [],
      ...(status !== 'passed' && { message: `the gate: ${status}` }),
    }),
    mergePlanned: (request = 'm1'): RunEventBody => ({
      type: 'merge.planned',
      lane,
      request,
      target: 'main',
      from: 't0',
      head,
      commit: 'c1',
      tree: 'tree1',
    }),
    mergeGateStarted: (gate = 2): RunEventBody => ({
      type: 'gate.started',
      lane,
      gate,
      subject: 'merge',
      head: 'c1',
    }),
    mergeJoined: (request = 'm2'): RunEventBody => ({ type: 'merge.joined', lane, request }),
    mergeStopping: (): RunEventBody => ({ type: 'merge.stopping', lane }),
    mergeRefused: (request = 'm1'): RunEventBody => ({
      type: 'merge.refused',
      lane,
      request,
      reasons: ['it conflicts.'],
    }),
    mergeApplied: (from = 't0', to = 'c1'): RunEventBody => ({
      type: 'merge.applied',
      lane,
      target: 'main',
      from,
      to,
    }),
    reopened: (to: 'queued' | 'verifying' = 'queued'): RunEventBody => ({ type: 'lane.reopened', lane, to }),
  };
}

/** Whole ways of a lane, from the queue to the state they are named after. */
export function way(lane: string) {
  const { assigned, created, started, ended, settled, gateStarted, checked, gateEnded } = story(lane);
  const { waiting, mergePlanned, mergeGateStarted, mergeApplied, blocked } = story(lane);
  const preparing = (under?: string) => [assigned(under)];
  const running = (under?: string) => [...preparing(under), created(), started()];
  const waits = () => [...running(), waiting()];
  const verifying = () => [...running(), ended()];
  const gated = () => [...verifying(), settled(), gateStarted()];
  const ready = () => [...gated(), checked('test'), checked('lint'), gateEnded()];
  const merging = () => [...ready(), mergePlanned()];
  const mergeGated = () => [...merging(), mergeGateStarted()];
  const merged = () => [
    ...mergeGated(),
    checked('test', 'passed', 2),
    checked('lint', 'passed', 2),
    gateEnded('passed', 2),
    mergeApplied(),
  ];
  const failed = () => [...running(), ended('failed')];
  const interrupted = () => [...running(), ended('lost')];
  return {
    queued: (): RunEventBody[] => [],
    preparing,
    running,
    waiting: waits,
    verifying,
    gated,
    ready,
    merging,
    mergeGated,
    merged,
    failed,
    interrupted,
    blocked: () => [blocked()],
  };
}

/** That all a lane held can be restored. */
export function rescued(lane: string, more: Partial<RescueRecord> = {}): RunEventBody {
  const rescue: RescueRecord = {
    ref: `refs/agentkit/rescue/${lane}/1`,
    commit: 'r1',
    at: '2026-03-02T12:00:00Z',
    why: 'discard',
    nonce: 'n',
    tip: `${lane}1`,
    head: `${lane}1`,
    files: 0,
    bytes: 0,
    archive: null,
    left_out: [],
    not_kept: [],
    ...more,
  };
  return { type: 'lane.rescued', lane, rescue };
}

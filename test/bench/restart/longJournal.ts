import type { RunEventBody } from '../../../src/core/run/runEvent.ts';

interface Wanted {
  repo: string;
  sha: string;
  lanes: readonly string[];
  /** How many events in all. */
  events: number;
  plan_sha256: string;
}

/** A journal of lanes whose agents waited often and whose gates ran often, all at once. `next` is one event more. */
export function longJournal({ repo, sha, lanes, events, plan_sha256 }: Wanted): {
  text: string;
  next: () => string;
} {
  let seq = 0;
  const write = (body: RunEventBody): string => {
    seq += 1;
    const at = new Date(Date.UTC(2026, 10, 30, 9) + seq * 100).toISOString();
    return `${JSON.stringify({ seq, at, ...body })}\n`;
  };
  const ref = { ref: 'main', sha };
  const name = { run: '20261130T090000Z-0001', name: 'test', repo, report: `${repo}/plans/reports/test` };
  const lines = [
    write({ type: 'run.created', ...name, plan_sha256, base: ref, target: ref, lanes: [...lanes] }),
  ];
  const going = lanes.map((lane) => eventsOf(lane, repo, sha));
  while (seq < events) for (const lane of going) if (seq < events) lines.push(write(lane.next().value));
  return { text: lines.join(''), next: () => write({ type: 'run.asks' }) };
}

/** What happens to one lane, without an end. */
function* eventsOf(lane: string, repo: string, sha: string): Generator<RunEventBody, never> {
  const worktree = {
    branch: `lane/${lane}`,
    path: `${repo}.lanes/${lane}`,
    base: sha,
    nonce: `nonce-of-${lane}`,
  };
  const account = 'demo/@one';
  yield { type: 'lane.assigned', lane, account, headroom_pct: 80, worktree };
  yield { type: 'lane.created', lane, warnings: [] };
  yield { type: 'attempt.started', lane, attempt: 1, account };
  for (let count = 0; count < 400; count += 1) {
    const since = '2026-11-30T09:00:00.000Z';
    yield { type: 'lane.waiting', lane, reason: 'question', message: `Question ${count}: go on?`, since };
    yield { type: 'lane.continued', lane };
  }
  yield {
    type: 'attempt.ended',
    lane,
    attempt: 1,
    outcome: 'succeeded',
    exit: 0,
    session_id: `session-${lane}`,
  };
  const changes = { files: 3, insertions: 120, deletions: 4, commits: 1, outside_paths: [] };
  yield { type: 'lane.settled', lane, head: sha, committed: [`${lane}.txt`], changes };
  const finding = {
    file: `src/${lane}.ts`,
    line: 12,
    column: 4,
    severity: 'error' as const,
    message: 'Type number is not assignable to type string',
  };
  for (let gate = 1; ; gate += 1) {
    yield { type: 'gate.started', lane, gate, subject: 'lane', head: sha };
    for (const name of ['types', 'tests']) {
      const check = { name, exit: 1, duration_s: 2.5, findings: [finding], more_findings: 0 };
      yield { type: 'check.ended', lane, gate, result: { ...check, status: 'failed' } };
    }
    yield { type: 'gate.ended', lane, gate, status: 'failed', message: 'Two checks failed', left: [] };
    yield { type: 'lane.reopened', lane, to: 'verifying' };
  }
}

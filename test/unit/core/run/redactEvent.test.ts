import assert from 'node:assert/strict';
import { redactEvent } from '../../../../src/core/run/redactEvent.ts';
import type { RunEventBody } from '../../../../src/core/run/runEvent.ts';

const secret = `ghp_${'a1B2'.repeat(9)}`;

describe('redactEvent', () => {
  it('takes secrets out of every message, at any depth, by shape and by value', () => {
    const blocked: RunEventBody = { type: 'lane.blocked', lane: 'api', message: `the hook said ${secret}` };
    assert.deepEqual(redactEvent(blocked, []), { ...blocked, message: 'the hook said [redacted]' });
    const refused: RunEventBody = {
      type: 'merge.refused',
      lane: 'api',
      request: 'm1',
      reasons: ['fine', 'opensesame42!'],
    };
    assert.deepEqual(redactEvent(refused, ['opensesame42!']), {
      ...refused,
      reasons: ['fine', '[redacted]'],
    });
    const finding = { file: 'a.ts', line: 1, column: 1, severity: 'error', message: secret } as const;
    const measured = { exit: 1, duration_s: 1, more_findings: 0 };
    const result = { name: 'test', status: 'failed', findings: [finding], ...measured } as const;
    const ended = redactEvent(
      { type: 'check.ended', lane: 'api', gate: 1, result: { ...result, findings: [finding] } },
      [],
    );
    assert.doesNotMatch(JSON.stringify(ended), /ghp_/);
  });

  it('leaves names and commits as they are', () => {
    const worktree = { branch: 'lane/api', path: `/lanes/${secret}`, base: 'b', nonce: 'n' };
    const assigned = { lane: 'api', account: 'demo/@one', headroom_pct: 1, worktree };
    const event: RunEventBody = { type: 'lane.assigned', ...assigned };
    assert.deepEqual(redactEvent(event, []), event);
  });
});

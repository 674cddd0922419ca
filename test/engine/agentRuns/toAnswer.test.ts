import assert from 'node:assert/strict';
import { toAnswer } from '../../../src/engine/agentRuns/toAnswer.ts';
import type { StepResult } from '../../../src/engine/process/launch.ts';

const facts = { kind: 'gemini', profile: '@work', cwd: '/w', run_folder: '/r' };
const failed: StepResult = {
  outcome: 'failed',
  exit: 55,
  message: 'Ended with exit code 55',
  started_at: '2026-11-30T03:00:00.000Z',
  ended_at: '2026-11-30T03:00:01.000Z',
  duration_s: 1,
  truncated: false,
};

describe('answer of ak run', () => {
  it('is refused where the CLI does not trust the folder, with the cure', () => {
    const refused = { reason: 'trust', message: 'not trusted' } as const;
    const { exit, error, cli_exit } = toAnswer(facts, { ...failed, refused });
    assert.deepEqual([exit, error?.reason, cli_exit], [6, 'refused', 55]);
    assert.equal(
      error?.message,
      'gemini/@work does not trust the folder that it was to work in; Ended with exit code 55; ' +
        'trust it for this account: ak run gemini @work --trust-cwd …',
    );
  });

  it('is that it failed where the vendor refused for another reason or none', () => {
    assert.equal(toAnswer(facts, failed).exit, 1);
    for (const reason of ['billing', 'model', 'throttled', 'network'] as const) {
      const { exit, error } = toAnswer(facts, { ...failed, refused: { reason, message: 'x' } });
      assert.deepEqual([exit, error?.reason], [1, 'failed'], reason);
      assert.doesNotMatch(error?.message ?? '', /trust/);
    }
  });

  it('has what the agent was not permitted to use, where that was anything', () => {
    assert.deepEqual(toAnswer(facts, { ...failed, denied: ['Write'] }).denied, ['Write']);
    assert.equal('denied' in toAnswer(facts, failed), false);
  });
});

import assert from 'node:assert/strict';
import type { Finding } from '../../../../src/core/gates/finding.ts';
import { laneProblems } from '../../../../src/vscode/diagnostics/laneProblems.ts';
import { sampleCheck, sampleLane, t } from '../sampleRuns.ts';

describe('laneProblems', () => {
  const finding = (changes: Partial<Finding> = {}): Finding => ({
    file: 'src/tax.mjs',
    line: 9,
    column: 3,
    severity: 'error',
    message: 'Unexpected var',
    ...changes,
  });
  const lane = (findings: Finding[], more = 0) =>
    sampleLane({
      state: 'failed',
      gate: {
        status: 'failed',
        head: 'a',
        message: null,
        checks: [sampleCheck({ name: 'lint', findings, more_findings: more })],
      },
    });

  it('puts a finding on the file of the lane, with its check as the source', () => {
    assert.deepEqual(laneProblems(lane([finding({ code: 'no-var' })]), t), [
      {
        file: '/lanes/api/src/tax.mjs',
        line: 9,
        column: 3,
        severity: 'error',
        message: 'Unexpected var',
        source: 'AgentKit (lint)',
        code: 'no-var',
      },
    ]);
  });

  it('marks nothing outside of the worktree', () => {
    const outside = [
      finding({ file: '../../etc/passwd' }),
      finding({ file: '/etc/passwd' }),
      finding({ file: null }),
    ];
    assert.deepEqual(laneProblems(lane(outside), t), []);
    assert.equal(laneProblems(lane([finding({ file: './src/../a.ts' })]), t)[0]?.file, '/lanes/api/a.ts');
  });

  it('shows a hundred a check and lets the last say how many more', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => finding({ line: index + 1 }));
    assert.equal(laneProblems(lane(hundred), t).length, 100);
    assert.doesNotMatch(laneProblems(lane(hundred), t).at(-1)!.message, /more/);
    const shown = laneProblems(lane(hundred, 50), t);
    assert.equal(shown.length, 100);
    assert.equal(shown.at(-1)!.message, '51 more findings of lint are not shown');
  });

  it('has nothing to say about a lane that is merged or dropped', () => {
    const merged = { ...lane([finding()]), state: 'merged' as const };
    assert.deepEqual(laneProblems(merged, t), []);
    assert.deepEqual(laneProblems({ ...merged, state: 'dropped' }, t), []);
  });
});

import assert from 'node:assert/strict';
import { judgeCheck, type CheckStep } from '../../../../src/core/gates/judgeCheck.ts';
import { checkSchema, type Check } from '../../../../src/core/plan/plan.ts';
import { recorded, worktree } from './recorded.ts';

const done: CheckStep = { outcome: 'succeeded', exit: 0, duration_s: 1.5 };

function check(matcher: Check['matcher'] = '$auto'): Check {
  return checkSchema.parse({ name: 'test', run: 'npm test', timeout: '2m', matcher });
}

function verdict(matcher: Check['matcher'], step: CheckStep, output: string): [string, string | undefined] {
  const { status, message } = judgeCheck(check(matcher), step, output, worktree);
  return [status, message];
}

describe('judgeCheck', () => {
  it('passes on exit 0, with what it found', () => {
    const output = `${worktree}/a.js\n  1:2  warning  Mind this  some-rule\n`;
    assert.deepEqual(judgeCheck(check(), done, output, worktree), {
      name: 'test',
      status: 'passed',
      exit: 0,
      duration_s: 1.5,
      findings: [
        { file: 'a.js', line: 1, column: 2, severity: 'warning', message: 'Mind this', code: 'some-rule' },
      ],
      more_findings: 0,
    });
  });

  it('fails on every other exit, whatever the output claims', () => {
    const failed: CheckStep = { outcome: 'failed', exit: 1, duration_s: 1 };
    assert.deepEqual(verdict('$auto', failed, 'all tests passed\n'), ['failed', 'exit 1: all tests passed']);
    assert.deepEqual(verdict('$auto', { ...failed, outcome: 'succeeded' }, ''), ['failed', 'exit 1']);
    assert.deepEqual(verdict('$auto', { ...failed, exit: 0, message: 'cut short' }, ''), [
      'failed',
      'cut short',
    ]);
    assert.deepEqual(verdict('$auto', { ...failed, exit: null }, ''), [
      'failed',
      'ended without an exit code',
    ]);
    assert.equal(verdict('$tap', failed, recorded('node-test-passed.tap'))[0], 'failed');
  });

  it('does not pass a test run that ran no test', () => {
    for (const matcher of ['$tap', '$auto'] as const) {
      assert.deepEqual(verdict(matcher, done, recorded('node-test-none.tap')), ['failed', 'ran no test']);
      assert.deepEqual(verdict(matcher, done, recorded('node-test-empty-suite.tap')), [
        'failed',
        'ran no test',
      ]);
      assert.deepEqual(verdict(matcher, done, '1..0 # skip all\n'), ['failed', 'ran no test']);
      assert.deepEqual(verdict(matcher, done, recorded('node-test-skipped.tap')), [
        'failed',
        'ran no test: all 2 were skipped',
      ]);
      assert.deepEqual(verdict(matcher, done, recorded('node-test-passed.tap')), ['passed', undefined]);
      assert.deepEqual(verdict(matcher, done, 'TAP version 13\nok 1 - a\n1..1\n'), ['passed', undefined]);
      // Several runs in one output: one of them without tests is no reason.
      const two = recorded('node-test-none.tap') + recorded('node-test-passed.tap');
      assert.deepEqual(verdict(matcher, done, two), ['passed', undefined]);
    }
  });

  it('does not pass a test run with a test that failed, whatever its exit', () => {
    const failing = (output: string) => verdict('$tap', done, output);
    assert.deepEqual(failing('not ok 1 - a\n1..1\n'), [
      'failed',
      '1 test failed, though it ended with exit 0',
    ]);
    const nested =
      '# Subtest: a\n    not ok 1 - b\n    not ok 2 - c\n    1..2\nnot ok 1 - a\nok 2 - d\n1..2\n';
    assert.deepEqual(failing(nested), ['failed', '2 tests failed, though it ended with exit 0']);
    assert.equal(failing('ok 1 - a\nBail out! no database\n')[0], 'failed');
    for (const passing of [
      'ok 1 - a\nok 2 - b\n1..2\n',
      'ok 1 - a\nnot ok 2 - b # TODO later\n1..2\n',
      'ok 1 - a\nnot ok 2 - b # SKIP not here\n1..2\n',
      'ok 1 - a\n# Subtest: b\n    not ok 1 - c\n    1..1\nnot ok 2 - b # TODO later\n1..2\n',
    ])
      assert.deepEqual(failing(passing), ['passed', undefined]);
    // Where nobody says that it is TAP, a line may mean something else.
    assert.equal(verdict('$auto', done, 'not ok 1 - a\n1..1\n')[0], 'passed');
  });

  it('asks for TAP only where the check says that it prints it', () => {
    assert.equal(verdict('$tap', done, 'done\n')[0], 'failed');
    assert.equal(verdict('$auto', done, 'done\n')[0], 'passed');
    assert.equal(verdict('$tsc', done, '1..0\n')[0], 'passed');
  });

  it('names the command that is not there', () => {
    const missing: CheckStep = { outcome: 'failed', exit: 127, duration_s: 0 };
    assert.deepEqual(verdict('$auto', missing, ''), ['failed', 'command not found: npm']);
    for (const line of [
      'sh: 1: eslint: not found',
      'bash: line 1: eslint: command not found',
      'zsh: command not found: eslint',
    ]) {
      assert.deepEqual(verdict('$auto', missing, `> lint\n${line}\n`), [
        'failed',
        'command not found: eslint',
      ]);
    }
    assert.deepEqual(verdict('$auto', { ...missing, exit: 126 }, 'sh: 1: ./check.sh: Permission denied'), [
      'failed',
      'command not found: ./check.sh is not executable',
    ]);
  });

  it('tells a timeout with its limit and a stop apart from a failure', () => {
    assert.deepEqual(verdict('$auto', { outcome: 'timeout', exit: null, duration_s: 120 }, ''), [
      'timeout',
      'did not end within its timeout of 2m',
    ]);
    assert.deepEqual(verdict('$auto', { outcome: 'stopped', exit: null, duration_s: 3 }, ''), [
      'interrupted',
      'stopped',
    ]);
    // Killed, and yet exit 0: still no pass.
    assert.equal(verdict('$auto', { outcome: 'timeout', exit: 0, duration_s: 120 }, '')[0], 'timeout');
    assert.equal(verdict('$auto', { outcome: 'stopped', exit: 0, duration_s: 3 }, '')[0], 'interrupted');
  });

  it('keeps a hundred findings and counts the rest', () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a.ts(${index + 1},1): error TS1: no`).join('\n');
    const failed: CheckStep = { outcome: 'failed', exit: 2, duration_s: 1 };
    const many = judgeCheck(check('$tsc'), failed, lines(103), worktree);
    assert.equal(many.findings.length, 100);
    assert.equal(many.more_findings, 3);
    assert.equal(judgeCheck(check('$tsc'), failed, lines(100), worktree).more_findings, 0);
  });
});

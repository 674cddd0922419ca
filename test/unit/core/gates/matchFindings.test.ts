import assert from 'node:assert/strict';
import { matchFindings } from '../../../../src/core/gates/matchFindings.ts';
import { recorded, worktree } from './recorded.ts';

describe('matchFindings', () => {
  const tsc = recorded('tsc-plain.txt');
  const eslint = recorded('eslint-stylish.txt');

  it('$auto takes what every parser finds, each once', () => {
    const found = matchFindings('$auto', `${tsc}\n${eslint}\n${tsc}\n${recorded('node-test.tap')}`, worktree);
    assert.equal(found.length, 4 + 4 + 7);
  });

  it('a named matcher reads its own format only', () => {
    assert.equal(matchFindings('$tsc', tsc + eslint, worktree).length, 4);
    assert.equal(matchFindings('$eslint-stylish', tsc + eslint, worktree).length, 4);
    assert.equal(matchFindings('$tap', tsc + eslint, worktree).length, 0);
  });

  it('shortens a message that is no message any more', () => {
    const [finding] = matchFindings('$tsc', `a.ts(1,1): error TS1: ${'x'.repeat(100_000)}`, worktree);
    assert.equal(finding?.message.length, 2001);
  });
});

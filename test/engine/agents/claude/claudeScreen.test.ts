import assert from 'node:assert/strict';
import { claudeScreen } from '../../../../src/engine/agents/claude/claudeScreen.ts';

describe('the screen of claude', () => {
  it('asks or not as the posture says', () => {
    assert.deepEqual(claudeScreen('/bin/claude', { posture: 'auto', args: [] }), [
      '/bin/claude',
      '--permission-mode=bypassPermissions',
    ]);
    assert.deepEqual(claudeScreen('/bin/claude', { posture: 'ask', args: [] }).slice(1), [
      '--permission-mode=default',
    ]);
  });

  it('goes on with a session; a bare --resume never takes what follows for its value', () => {
    const screen = (resume: 'last' | 'choose' | { id: string }) =>
      claudeScreen('claude', { posture: 'ask', resume, args: ['fix it'] }).slice(1);
    assert.deepEqual(screen('last'), ['--continue', '--permission-mode=default', 'fix it']);
    assert.deepEqual(screen('choose'), ['--resume', '--permission-mode=default', 'fix it']);
    assert.deepEqual(screen({ id: '-x' }), ['--resume=-x', '--permission-mode=default', 'fix it']);
  });

  it("takes a model, and the person's own arguments last, as they are", () => {
    const args = ['--model=other', '--add-dir', '/a b', '`$(x)`'];
    const screen = claudeScreen('claude', { posture: 'ask', model: '--odd', args });
    assert.deepEqual(screen.slice(1), ['--permission-mode=default', '--model=--odd', ...args]);
  });
});

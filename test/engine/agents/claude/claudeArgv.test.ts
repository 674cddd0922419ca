import assert from 'node:assert/strict';
import { claudeArgv } from '../../../../src/engine/agents/claude/claudeArgv.ts';

const headless = ['/bin/claude', '--print', '--output-format=stream-json', '--verbose'];

describe('argv of Claude Code', () => {
  for (const [posture, permissions] of [
    ['auto', ['--permission-mode=bypassPermissions']],
    ['ask', ['--permission-mode=default']],
    ['read-only', ['--permission-mode=plan', '--disallowedTools=Edit,Write,NotebookEdit']],
  ] as const) {
    it(`has one posture, ${posture}, and no prompt`, () => {
      assert.deepEqual(claudeArgv('/bin/claude', { posture }), [...headless, ...permissions]);
    });
  }

  it('gives model and session as values, whatever they look like', () => {
    const argv = claudeArgv('/bin/claude', { posture: 'ask', model: '--bare', resume: '-r' });
    assert.deepEqual(argv.slice(-2), ['--model=--bare', '--resume=-r']);
  });
});

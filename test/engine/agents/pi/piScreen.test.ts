import assert from 'node:assert/strict';
import { piScreen } from '../../../../src/engine/agents/pi/piScreen.ts';

const reading = ['--tools', 'read,grep,find,ls', '--no-mcp', '--no-extensions'];

describe('the screen of pi', () => {
  it('has only tools that read where it may not act by itself: Pi asks before none', () => {
    assert.deepEqual(piScreen({ posture: 'auto', args: [] }), []);
    assert.deepEqual(piScreen({ posture: 'ask', args: [] }), reading);
  });

  it('goes on with a session', () => {
    const screen = (resume: 'last' | 'choose' | { id: string }) =>
      piScreen({ posture: 'auto', resume, args: ['fix it'] });
    assert.deepEqual(screen('last'), ['--continue', 'fix it']);
    assert.deepEqual(screen('choose'), ['--resume', 'fix it']);
    assert.deepEqual(screen({ id: 'abc' }), ['--session-id', 'abc', 'fix it']);
    for (const id of ['', '--no-session', ' x'])
      assert.throws(() => screen({ id }), { reason: 'invalid_input' }, id);
  });

  it("takes a model, and the person's own arguments last, as they are", () => {
    const args = ['--', '- a list', '`$(x)`'];
    const screen = piScreen({ posture: 'ask', model: 'vendor/x', args });
    assert.deepEqual(screen, [...reading, '--model', 'vendor/x', ...args]);
    assert.throws(() => piScreen({ posture: 'ask', model: '-x', args }), { reason: 'invalid_input' });
  });
});

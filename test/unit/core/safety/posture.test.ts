import assert from 'node:assert/strict';
import { choosePosture, postureEnvironment } from '../../../../src/core/safety/posture.ts';

describe('choosePosture', () => {
  it('is autonomous where nobody says anything', () => {
    assert.equal(choosePosture({ said: [] }), 'auto');
    assert.equal(choosePosture({ said: [undefined, 'auto'], flags: { auto: true } }), 'auto');
  });

  it('asks wherever that is said, whatever else is', () => {
    assert.equal(choosePosture({ said: ['auto', 'ask', 'auto'] }), 'ask');
    assert.equal(choosePosture({ said: ['ask'], flags: { auto: true } }), 'ask');
    assert.equal(choosePosture({ said: ['auto'], flags: { ask: true } }), 'ask');
  });

  it('refuses flags that contradict each other, and takes each alone', () => {
    const usage = { reason: 'usage', exitCode: 2 };
    assert.throws(() => choosePosture({ said: [], flags: { ask: true, auto: true } }), usage);
    assert.throws(() => choosePosture({ said: [], flags: { readOnly: true, auto: true } }), usage);
    assert.equal(choosePosture({ said: [], flags: { readOnly: true, ask: true } }), 'read-only');
  });

  it('lets the child inherit that it is to ask, also when it may only read', () => {
    assert.deepEqual(postureEnvironment('ask'), { AGENTKIT_PERMISSIONS: 'ask' });
    assert.deepEqual(postureEnvironment('read-only'), { AGENTKIT_PERMISSIONS: 'ask' });
    assert.deepEqual(postureEnvironment('auto'), {});
  });
});

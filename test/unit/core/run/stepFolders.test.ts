import assert from 'node:assert/strict';
import { attemptFolder, checkFolder, pendingStep } from '../../../../src/core/run/stepFolders.ts';
import { story, way } from './events.ts';
import { job, laneOf, plan, stateAfter } from './samples.ts';

const made = plan([job('api')]);

describe('stepFolders', () => {
  it('gives every process of a run a folder of its own, also in lanes with a slash', () => {
    assert.equal(attemptFolder('r1/api', 2), 'lanes/r1~api/attempt-2');
    assert.equal(checkFolder('api', 3, 'lint'), 'lanes/api/gate-3/lint');
  });

  it('knows the one process that a lane waits for', () => {
    const pending = (...before: Parameters<typeof stateAfter>[1][]) =>
      pendingStep(laneOf(stateAfter(made, ...before), 'api'), made);
    const { checked } = story('api');
    assert.equal(pending(...way('api').preparing()), undefined);
    assert.equal(pending(...way('api').running()), 'lanes/api/attempt-1');
    assert.equal(pending(...way('api').verifying()), undefined);
    assert.equal(pending(...way('api').gated()), 'lanes/api/gate-1/test');
    assert.equal(pending(...way('api').gated(), checked('test', 'failed')), 'lanes/api/gate-1/lint');
    assert.equal(pending(...way('api').gated(), checked('test', 'interrupted')), undefined);
    assert.equal(pending(...way('api').gated(), checked('test'), checked('lint')), undefined);
    assert.equal(pending(...way('api').mergeGated()), 'lanes/api/gate-2/test');
    assert.equal(pending(...way('api').merged()), undefined);
  });
});

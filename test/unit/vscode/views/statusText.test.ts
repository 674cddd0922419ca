import assert from 'node:assert/strict';
import { statusText } from '../../../../src/vscode/views/statusText.ts';
import { sampleLane, sampleRun, t } from '../sampleRuns.ts';

describe('statusText', () => {
  it('counts what runs and what needs the person', () => {
    const lanes = [
      sampleLane(),
      sampleLane({ lane: 'b', state: 'verifying' }),
      sampleLane({ lane: 'c', state: 'failed' }),
    ];
    assert.equal(statusText([sampleRun({ lanes })], { t }), '$(rocket) 2 running · 1 needs you');
  });

  it('tells of lanes that can be merged', () => {
    const lanes = [sampleLane({ state: 'ready', mergeable: true })];
    assert.equal(statusText([sampleRun({ status: 'done', lanes })], { t }), '$(rocket) 1 ready');
  });

  it('is not there without a lane, and quiet when all is merged', () => {
    assert.equal(statusText([], { t }), undefined);
    const lanes = [sampleLane({ state: 'merged' })];
    assert.equal(statusText([sampleRun({ status: 'done', lanes })], { t }), '$(rocket) all quiet');
  });

  it('forgets the failures of runs that a newer one has followed', () => {
    const old = sampleRun({
      run: 'old',
      status: 'failed',
      lanes: [sampleLane({ run: 'old', state: 'failed' })],
    });
    assert.equal(statusText([sampleRun(), old], { t }), '$(rocket) 1 running');
    assert.equal(statusText([old], { t }), '$(rocket) 1 needs you');
  });
});

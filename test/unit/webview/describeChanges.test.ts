import assert from 'node:assert/strict';
import { describeChanges } from '../../../webview/describeChanges.ts';
import { makeCard, previewSnapshot, refusedSnapshot, runSnapshot } from './boardSnapshots.ts';

describe('describeChanges', () => {
  const run = { ...runSnapshot(0), cards: [makeCard('api', { column: 'running', state: 'running' })] };

  it('tells changed states, with the reason where somebody must act', () => {
    const failed = makeCard('api', { column: 'needsYou', state: 'failed', reasons: ['test: 2 fail'] });
    assert.deepEqual(describeChanges(run, { ...run, status: 'failed', cards: [failed] }), [
      'failed',
      'api: failed, test: 2 fail',
    ]);
    const ready = makeCard('api', { column: 'ready', state: 'ready', reasons: ['not told'] });
    assert.deepEqual(describeChanges(run, { ...run, cards: [ready] }), ['api: ready']);
  });

  it('is silent about activity, the first picture and a change of mode', () => {
    const busy = makeCard('api', { column: 'running', state: 'running', activity: 'Editing a.js' });
    assert.deepEqual(describeChanges(run, { ...run, cards: [busy] }), []);
    assert.deepEqual(describeChanges(null, run), []);
    assert.deepEqual(describeChanges(previewSnapshot(0), run), []);
  });

  it('tells when a plan can start, and when it cannot any more', () => {
    const can = previewSnapshot(0);
    const cannot = { ...refusedSnapshot(0), status: can.status };
    assert.match(describeChanges(can, cannot).join(), /^Cannot start: currency and totals/);
    assert.deepEqual(describeChanges(cannot, can), ['The plan can start']);
  });
});

import assert from 'node:assert/strict';
import { planNameIn, shownRun } from '../../../../src/vscode/board/shownRun.ts';
import { makeRun, makeWorkedLane } from './views.ts';

const going = makeRun({ run: 'r2' });
const ended = makeRun({ run: 'r1', status: 'done' });

describe('shownRun', () => {
  it('shows a run of the plan that goes on, without being asked', () => {
    assert.equal(shownRun('billing', undefined, [going, ended])?.run, 'r2');
    assert.equal(shownRun('billing', undefined, [ended]), undefined);
    assert.equal(shownRun('other', undefined, [going]), undefined);
  });

  it('shows an ended run while lanes of it are left to decide about', () => {
    const withLane = (state: 'failed' | 'ready' | 'merged') =>
      makeRun({ status: 'done', lanes: [makeWorkedLane({ state })] });
    assert.ok(shownRun('billing', undefined, [withLane('failed')]));
    assert.ok(shownRun('billing', undefined, [withLane('ready')]));
    assert.equal(shownRun('billing', undefined, [withLane('merged')]), undefined);
  });

  it('keeps to what the person chose', () => {
    assert.equal(shownRun('billing', 'plan', [going]), undefined);
    assert.equal(shownRun('billing', { run: 'r1' }, [going, ended])?.run, 'r1');
  });

  it('falls back when the chosen run is gone', () => {
    assert.equal(shownRun('billing', { run: 'r0' }, [going])?.run, 'r2');
    assert.equal(shownRun('billing', { run: 'r0' }, [ended]), undefined);
  });
});

describe('planNameIn', () => {
  it('reads the name also while the rest is broken', () => {
    assert.equal(planNameIn('# a plan\nversion: 1\nname: "billing" # main\njobs: [\n'), 'billing');
    assert.equal(planNameIn('jobs:\n  - name: x\n'), undefined);
  });
});

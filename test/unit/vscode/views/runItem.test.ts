import assert from 'node:assert/strict';
import type { RunView } from '../../../../src/core/lanes/laneView.ts';
import { runItem } from '../../../../src/vscode/views/runItem.ts';
import { render, sampleLane, sampleRun } from '../sampleRuns.ts';

describe('runItem', () => {
  it('counts lanes by what they need', () => {
    const lanes = [
      sampleLane(),
      sampleLane({ lane: 'ui', state: 'failed' }),
      sampleLane({ lane: 'docs', state: 'merged' }),
    ];
    const item = runItem(sampleRun({ lanes }), true, render);
    assert.equal(item.label, 'billing');
    assert.equal(item.description, 'running · 3 lanes · 1 running · 1 needs you · 12m');
    assert.deepEqual(item.words, ['run', 'running', 'stoppable']);
  });

  it('offers Resume on a run with which it goes on', () => {
    assert.deepEqual(runItem(sampleRun({ status: 'interrupted' }), true, render).words, [
      'run',
      'interrupted',
      'resumable',
    ]);
    const words = (resumable: boolean) =>
      runItem(sampleRun({ status: 'stopped', resumable }), true, render).words;
    assert.deepEqual(words(true), ['run', 'stopped', 'resumable']);
    assert.deepEqual(words(false), ['run', 'stopped']);
    const waits = runItem(sampleRun({ resumable: true }), true, render);
    assert.deepEqual(waits.words, ['run', 'running', 'resumable', 'stoppable']);
  });

  it('says how long ago a run ended', () => {
    const item = runItem(
      sampleRun({ status: 'done', lanes: [sampleLane({ state: 'merged' })] }),
      true,
      render,
    );
    assert.equal(item.description, 'done · 1 lane · 1m ago');
  });

  it('names another process that drives the run, while it lives', () => {
    const other = { pid: 42, head: 'ak', self: false, alive: true } as const;
    assert.match(runItem(sampleRun({ owner: other }), true, render).tooltip, /ak, pid 42/);
    assert.doesNotMatch(
      runItem(sampleRun({ owner: { ...other, alive: false } }), true, render).tooltip,
      /pid 42/,
    );
  });

  it('says so while another window drives the run, in the row itself', () => {
    const other = { pid: 42, head: 'editor', self: false, alive: true } as const;
    const description = (owner: RunView['owner'], status: RunView['status'] = 'running') =>
      runItem(sampleRun({ owner, status }), true, render).description;
    assert.match(description(other), / · 12m · driven by another window$/);
    assert.doesNotMatch(description({ ...other, self: true }), /another/);
    assert.doesNotMatch(description({ ...other, alive: false }), /another/);
    assert.doesNotMatch(description({ ...other, head: 'ak' }), /another/);
    assert.doesNotMatch(description(other, 'done'), /another/);
  });

  it('is open only while it concerns the person', () => {
    assert.equal(runItem(sampleRun(), true, render).children, 'open');
    assert.equal(runItem(sampleRun(), false, render).children, 'closed');
  });
});

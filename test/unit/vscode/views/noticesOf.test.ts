import assert from 'node:assert/strict';
import { noticesOf } from '../../../../src/vscode/views/noticesOf.ts';
import { sampleLane, sampleRun } from '../sampleRuns.ts';

describe('noticesOf', () => {
  const running = [sampleRun({ lanes: [sampleLane(), sampleLane({ lane: 'ui' })] })];
  const failing = [sampleRun({ lanes: [sampleLane({ state: 'failed' }), sampleLane({ lane: 'ui' })] })];

  it('tells nothing about what a window finds when it opens', () => {
    assert.deepEqual(noticesOf(undefined, failing), []);
  });

  it('tells once that a lane needs the person', () => {
    const [notice, ...more] = noticesOf(running, failing);
    assert.equal(notice?.type, 'needsYou');
    assert.deepEqual(more, []);
    assert.deepEqual(noticesOf(failing, failing), []);
  });

  it('tells once that an agent waits for the person, and again only after it went on', () => {
    const question = { reason: 'question', message: 'Which?', since: '2026-03-02T09:00:00.000Z' } as const;
    const waiting = [sampleRun({ lanes: [sampleLane({ state: 'waiting', waiting: question })] })];
    const other = { ...question, message: 'And which now?' };
    const asking = [sampleRun({ lanes: [sampleLane({ state: 'waiting', waiting: other })] })];
    assert.equal(noticesOf(running, waiting)[0]?.type, 'needsYou');
    assert.deepEqual(noticesOf(waiting, asking), []);
    assert.deepEqual(noticesOf(waiting, running), []);
    assert.equal(noticesOf(running, asking)[0]?.type, 'needsYou');
  });

  it('tells lanes that fail together in one notice', () => {
    const both = [
      sampleRun({ lanes: [sampleLane({ state: 'failed' }), sampleLane({ lane: 'ui', state: 'blocked' })] }),
    ];
    const [notice, ...more] = noticesOf(running, both);
    assert.ok(notice?.type === 'needsYou');
    assert.deepEqual(
      notice.lanes.map(({ lane }) => lane),
      ['api', 'ui'],
    );
    assert.deepEqual(more, []);
  });

  it('tells the end of a run in place of what its lanes came to', () => {
    const ended = [
      sampleRun({
        status: 'failed',
        lanes: [sampleLane({ state: 'failed' }), sampleLane({ lane: 'ui', state: 'ready' })],
      }),
    ];
    assert.deepEqual(
      noticesOf(running, ended).map(({ type }) => type),
      ['runEnded'],
    );
    assert.deepEqual(noticesOf(ended, ended), []);
  });

  it('tells no end of the standing run, which only comes to rest, but that a lane of it needs the person', () => {
    const begun = [sampleRun({ standing: true, lanes: [sampleLane({ state: 'preparing' })] })];
    const atRest = (state: 'open' | 'blocked') => [
      sampleRun({ standing: true, status: 'done', lanes: [sampleLane({ state })] }),
    ];
    assert.deepEqual(noticesOf(begun, atRest('open')), []);
    assert.deepEqual(
      noticesOf(begun, atRest('blocked')).map(({ type }) => type),
      ['needsYou'],
    );
  });

  it('leaves it to the window that drives the run, and tells for `ak`, which has none', () => {
    const other = { pid: 9, head: 'editor', self: false, alive: true } as const;
    const drivenBy = (owner: typeof other | { pid: number; head: 'ak'; self: false; alive: true }) =>
      failing.map((run) => ({ ...run, owner }));
    assert.deepEqual(noticesOf(running, drivenBy(other)), []);
    assert.equal(noticesOf(running, drivenBy({ ...other, head: 'ak' })).length, 1);
  });
});

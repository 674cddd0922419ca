import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/run/decide.ts';
import type { Facts } from '../../../../src/core/run/facts.ts';
import { story, way } from './events.ts';
import { facts, job, plan, stateAfter } from './samples.ts';

describe('decide', () => {
  it('holds back every agent beyond those that may start now, and nothing else', () => {
    const ids = ['api', 'docs', 'web'];
    const prepared = ids.flatMap((id) => [story(id).assigned(`demo/@${id}`), story(id).created()]);
    const other = way('site').verifying();
    const state = stateAfter(plan([...ids, 'site'].map((id) => job(id))), ...prepared, ...other);
    const begun = (more: Partial<Facts>) =>
      decide(state, facts(more)).map((action) => `${action.do} ${'lane' in action ? action.lane : ''}`);
    const [settle, ...starts] = ['settle site', ...ids.map((id) => `startAttempt ${id}`)];
    assert.deepEqual(begun({ starts: 0 }), [settle]);
    assert.deepEqual(begun({ starts: 1 }).toSorted(), [settle, ...starts.slice(0, 1)].toSorted());
    assert.deepEqual(begun({ starts: Infinity }).toSorted(), [settle, ...starts].toSorted());
  });
});

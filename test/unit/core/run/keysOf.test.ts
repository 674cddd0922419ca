import assert from 'node:assert/strict';
import type { Action } from '../../../../src/core/run/action.ts';
import { keysOf } from '../../../../src/core/run/keysOf.ts';

describe('keysOf', () => {
  const assign = (lane: string): Action => ({ do: 'assign', lane, account: 'demo/@one', headroom_pct: 1 });
  const planMerge = (lane: string): Action => ({
    do: 'planMerge',
    lane,
    request: { id: 'm', do: 'merge', lane },
  });
  const collide = (one: Action, other: Action) => keysOf(one).some((key) => keysOf(other).includes(key));

  it('keeps the actions of one lane apart, not those of two', () => {
    assert.ok(collide({ do: 'settle', lane: 'a' }, { do: 'append', key: 'a', events: [] }));
    assert.ok(!collide({ do: 'settle', lane: 'a' }, { do: 'settle', lane: 'b' }));
  });

  it('lets accounts and merges go one at a time', () => {
    assert.ok(collide(assign('a'), assign('b')));
    assert.ok(collide(planMerge('a'), planMerge('b')));
    assert.ok(!collide(assign('a'), planMerge('b')));
  });
});

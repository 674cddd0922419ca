import assert from 'node:assert/strict';
import { isMemoryShort, StartLimit } from '../../../src/engine/conductor/startLimit.ts';

const gib = 1024 ** 3;

describe('how many agents may start now', () => {
  let now = 0;
  let free = 4 * gib;
  const limit = () => new StartLimit({ now: () => now, freeMemory: () => free });
  const others = (run: boolean) => () => Promise.resolve(run);

  beforeEach(() => {
    now = 0;
    free = 4 * gib;
  });

  it('is one at a time, a quarter of a second apart', async () => {
    const starts = limit();
    assert.equal(await starts.allowed(others(true)), 1);
    starts.started();
    assert.equal(await starts.allowed(others(true)), 0);
    assert.equal(starts.waitMs, 250);
    now = 250;
    assert.equal(await starts.allowed(others(true)), 1);
  });

  it('is none beside others where memory is short, and one where none runs', async () => {
    free = gib - 1;
    assert.equal(await limit().allowed(others(true)), 0);
    assert.equal(await limit().allowed(others(false)), 1);
    assert.ok(isMemoryShort(free), 'as views tell it');
    free = gib;
    assert.ok(!isMemoryShort(free));
    assert.equal(await limit().allowed(others(true)), 1);
  });
});

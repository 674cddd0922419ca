import assert from 'node:assert/strict';
import { StallWatch } from '../../../src/engine/process/stallWatch.ts';
import { poll } from './stepFixture.ts';

describe('the watch for stalls', function () {
  this.timeout(60_000);

  it('tells a stall once however long it lasts, and its end with the next word, at once', async () => {
    const told: (string | undefined)[] = [];
    let looks = 0;
    const watch = new StallWatch({
      afterS: 0.4,
      cpuS: () => ((looks += 1), 1),
      waits: () => false,
      onChange: (since) => told.push(since),
    });
    try {
      await poll('a stall', 20_000, () => told.length > 0 || undefined);
      assert.ok(Date.parse(told[0] ?? '') <= Date.now() - 400, told[0]);
      const before = looks;
      await poll('more looks', 20_000, () => looks > before + 5 || undefined);
      assert.equal(told.length, 1);
      watch.spoke();
      watch.spoke();
      assert.deepEqual(told.slice(1), [undefined]);
    } finally {
      watch.close();
    }
  });

  it('tells its end with work that says nothing', async () => {
    const told: (string | undefined)[] = [];
    let used = 1;
    const watch = new StallWatch({
      afterS: 0.4,
      cpuS: () => (told.length > 0 ? (used += 1) : used),
      waits: () => false,
      onChange: (since) => told.push(since),
    });
    try {
      await poll('a stall and its end', 20_000, () => told.length > 1 || undefined);
      assert.deepEqual([typeof told[0], told[1]], ['string', undefined]);
    } finally {
      watch.close();
    }
  });
});

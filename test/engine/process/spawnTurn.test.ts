import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { tmpdir } from 'node:os';
import { git } from '../../../src/engine/git/plumbing.ts';
import { spawnTurn } from '../../../src/engine/process/spawnTurn.ts';

describe('starts of processes', () => {
  let turns = 0;
  let timer: NodeJS.Immediate;
  beforeEach(() => {
    turns = 0;
    const turn = () => {
      turns += 1;
      timer = setImmediate(turn);
    };
    timer = setImmediate(turn);
  });
  afterEach(() => clearImmediate(timer));

  it('come one a turn of the event loop, in the order in which they were asked for', async () => {
    const order: number[] = [];
    const at = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await spawnTurn();
        order.push(index);
        return turns;
      }),
    );
    assert.deepEqual(order, [...order.keys()]);
    assert.equal(new Set(at).size, at.length, at.join(' '));
  });

  it('leave the loop free between two gits, however many are asked for at once', async () => {
    const at: number[] = [];
    const record = () => at.push(turns);
    subscribe('child_process', record);
    try {
      await Promise.all(Array.from({ length: 16 }, () => git(tmpdir(), ['version'])));
    } finally {
      unsubscribe('child_process', record);
    }
    assert.equal(at.length, 16);
    assert.equal(new Set(at).size, at.length, at.join(' '));
  });
});

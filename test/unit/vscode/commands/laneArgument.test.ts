import assert from 'node:assert/strict';
import { accountArgument, laneArgument, runArgument } from '../../../../src/vscode/commands/laneArgument.ts';

describe('arguments of commands', () => {
  it('are rows of a tree, cards, or ids', () => {
    assert.deepEqual(laneArgument({ type: 'lane', run: 'r', lane: 'api' }), { lane: 'api', run: 'r' });
    assert.deepEqual(laneArgument({ lane: 'api' }), { lane: 'api' });
    assert.deepEqual(laneArgument('api'), { lane: 'api' });
    assert.equal(runArgument({ type: 'run', run: 'r' }), 'r');
    assert.equal(accountArgument({ type: 'account', account: 'demo/@one' }), 'demo/@one');
  });

  it('name nothing when they come from the palette, a run, or an editor', () => {
    for (const argument of [
      undefined,
      null,
      7,
      {},
      { type: 'run', run: 'r' },
      { scheme: 'file', path: '/x' },
    ]) {
      assert.equal(laneArgument(argument), undefined);
    }
  });
});

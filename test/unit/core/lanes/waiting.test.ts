import assert from 'node:assert/strict';
import { describeWaiting, isSameWaiting, waitingSchema } from '../../../../src/core/lanes/waiting.ts';

const waiting = { reason: 'trust', message: 'Trust /lane?', since: '2026-03-02T09:00:00.000Z' } as const;

describe('waiting', () => {
  it('is described with the words of the vendor, where there are some', () => {
    assert.equal(describeWaiting(waiting), 'its agent asks whether the folder is trusted: Trust /lane?');
    assert.equal(
      describeWaiting({ ...waiting, message: '' }),
      'its agent asks whether the folder is trusted',
    );
    const told = waitingSchema.shape.reason.options.map((reason) => describeWaiting({ ...waiting, reason }));
    assert.equal(new Set(told).size, 4);
  });

  it('is the same while nothing of it has changed', () => {
    assert.ok(isSameWaiting(waiting, { ...waiting }));
    assert.ok(isSameWaiting(undefined, undefined));
    assert.ok(!isSameWaiting(waiting, undefined));
    assert.ok(!isSameWaiting(undefined, waiting));
    for (const change of [
      { reason: 'login' },
      { message: '' },
      { since: '2026-03-02T09:00:01.000Z' },
    ] as const)
      assert.ok(!isSameWaiting(waiting, { ...waiting, ...change }), JSON.stringify(change));
  });
});

import assert from 'node:assert/strict';
import { describeRefusal } from '../../../../src/core/accounts/refusal.ts';

const refused = { reason: 'throttled', message: 'Slow down' } as const;

describe('describeRefusal', () => {
  it('tells the window of a limit and its reset, as far as they are known', () => {
    const limit = { window: '5h', resets_at: '2026-11-30T03:42:47.000Z' };
    assert.equal(
      describeRefusal('claude/@work', { limit }),
      'the 5h limit of claude/@work is reached; resets at 2026-11-30T03:42:47.000Z',
    );
    assert.equal(
      describeRefusal('claude/@work', { limit: {} }),
      'the limit of claude/@work is reached; when it resets is not known',
    );
  });

  it('tells that a reset is in doubt, and why', () => {
    for (const [doubt, why] of [
      ['gap', /at the latest: .* put forward$/],
      ['double', /at the latest: .* comes twice, /],
    ] as const) {
      const limit = { resets_at: '2026-10-25T01:30:00.000Z', doubt };
      assert.match(describeRefusal('claude/@work', { limit }) ?? '', why);
    }
  });

  it('tells a refusal, but only the limit where there are both', () => {
    assert.match(describeRefusal('claude/@work', { refused }) ?? '', /claude\/@work was slowed down/);
    assert.match(describeRefusal('claude/@work', { refused, limit: {} }) ?? '', /^the limit of/);
    assert.equal(describeRefusal('claude/@work', {}), undefined);
  });
});

import assert from 'node:assert/strict';
import { describeForeign } from '../../../../src/core/run/describeForeign.ts';

describe('describeForeign', () => {
  const change = (name: string) => ({ what: 'main' as const, name, message: `${name} was changed.` });

  it('tells the same only once, and all that differs', () => {
    const told = describeForeign('job', [change('a'), change('b'), change('a')]) ?? '';
    assert.match(told, /outside of it: a was changed; b was changed\. Look at it/);
    assert.match(told, /ak lane gate job$/);
  });

  it('tells nothing where nothing changed', () => assert.equal(describeForeign('job', []), undefined));
});

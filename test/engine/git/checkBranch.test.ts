import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findClash } from '../../../src/engine/git/checkBranch.ts';

describe('findClash', () => {
  it('finds the branch that is a folder of the new one, or below it', () => {
    assert.equal(findClash('release/2026.4', ['main', 'release']), 'release');
    assert.equal(findClash('a/b/c', ['a/b']), 'a/b');
    assert.equal(findClash('lane', ['main', 'lane/api']), 'lane/api');
    assert.equal(findClash('release/x', ['releases', 'release/y', 'x/release', 'release/x']), null);
  });

  it('compares without case everywhere, as the repository may come to a disk that does not tell it', () => {
    assert.equal(findClash('lane/api', ['Lane/API2', 'LANES', 'lane/api']), null);
    assert.equal(findClash('lane/api', ['Lane/API']), 'Lane/API');
    assert.equal(findClash('lane/api', ['LANE']), 'LANE');
    assert.equal(findClash('Lane/API', ['lane/api']), 'lane/api');
  });

  it('agrees with the files that git would have to keep', () => {
    const name = fc
      .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    const folders = (branch: string) =>
      branch
        .split('/')
        .map((_, n, parts) => parts.slice(0, n).join('/'))
        .slice(1);
    fc.assert(
      fc.property(name, name, (one, other) => {
        const clash = folders(one).includes(other) || folders(other).includes(one);
        assert.equal(findClash(one, [other]), clash ? other : null);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { outsidePaths } from '../../../../src/core/safety/outsidePaths.ts';

describe('outsidePaths', () => {
  const changed = ['src/api/a.ts', 'src/api/.env', 'src/apis/b.ts', 'README.md', '../x'];

  it('lists what no glob allows', () => {
    assert.deepEqual(outsidePaths(changed, ['src/api/**']), ['src/apis/b.ts', 'README.md', '../x']);
    assert.deepEqual(outsidePaths(changed, ['src', '*.md']), ['../x']);
  });

  it('lists nothing where everything is allowed, or nothing is checked', () => {
    assert.deepEqual(outsidePaths(['a', 'b/c'], ['**']), []);
    assert.deepEqual(outsidePaths(changed, []), []);
  });

  it('lets a glob that is none allow nothing', () => {
    assert.deepEqual(outsidePaths(['src/a.ts'], ['src/a**']), ['src/a.ts']);
  });
});

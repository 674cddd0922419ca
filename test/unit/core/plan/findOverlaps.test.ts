import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonPath } from '../../../../src/core/plan/commonPath.ts';
import { findOverlaps } from '../../../../src/core/plan/findOverlaps.ts';
import { globProblem, pathMatches } from '../../../../src/core/plan/globs.ts';
import { paths, richGlobs } from './globArbitraries.ts';

function job(
  id: string,
  globs: string[],
  dependsOn: string[] = [],
): { id: string; paths: string[]; depends_on: string[] } {
  return { id, paths: globs, depends_on: dependsOn };
}

describe('commonPath', () => {
  const meeting: [string, string, string][] = [
    ['src/**', 'src/api/*.ts', 'src/api/x.ts'],
    ['src/**', '**/*.md', 'src/x.md'],
    ['src', 'src/api/a.ts', 'src/api/a.ts'],
    ['src/', 'src', 'src'],
    ['*', '.env', '.env'],
    ['a*', '*b', 'ab'],
    ['ab*', '*b', 'abb'],
    ['a*b', 'ab', 'ab'],
    ['[a-m]', '[m-z]', 'm'],
    ['[!a]x', 'ax', ''],
    ['{a,b}/c', 'b/{c,d}', 'b/c'],
    ['**/test/**', 'src/*/*', 'src/test/x'],
    ['docs/?.md', 'docs/[0-9].md', 'docs/0.md'],
  ];
  for (const [a, b, example] of meeting) {
    it(`${a} and ${b} ${example ? `meet at ${example}` : 'do not meet'}`, () => {
      assert.equal(commonPath(a, b), example || undefined);
      assert.equal(commonPath(b, a) !== undefined, example !== '');
    });
  }

  const apart: [string, string][] = [
    ['src/api/**', 'src/app/**'],
    ['src/*', 'src/a/b'],
    ['*.ts', '*.tsx'],
    ['a*', 'b*'],
    ['[a-l]*', '[m-z]*'],
    ['src/**', 'src'.toUpperCase()],
    // Only "." and ".." would fit both, and no path has such a segment.
    ['?/x', '[.]/x'],
    ['??/x', '.[.]/x'],
    ['x[+-9]y', 'x/y'],
    ['src/**', '../src'],
  ];
  for (const [a, b] of apart) {
    it(`${a} and ${b} do not meet`, () => {
      assert.equal(commonPath(a, b), undefined);
      assert.equal(commonPath(b, a), undefined);
    });
  }

  it('a path that both match means that they meet, and the example matches both', () => {
    let met = 0;
    fc.assert(
      fc.property(richGlobs, richGlobs, paths, (a, b, path) => {
        fc.pre(globProblem(a) === undefined && globProblem(b) === undefined);
        const example = commonPath(a, b);
        if (example !== undefined) {
          met++;
          assert.ok(pathMatches([a], example) && pathMatches([b], example), `${example} for ${a} and ${b}`);
        }
        if (pathMatches([a], path) && pathMatches([b], path))
          assert.notEqual(example, undefined, `${a}, ${b}: ${path}`);
        assert.equal(commonPath(b, a) !== undefined, example !== undefined);
      }),
      { numRuns: 1500 },
    );
    assert.ok(met > 150, `only ${met} pairs met`);
  }).timeout(20_000);

  it('every glob meets itself and **', () => {
    fc.assert(
      fc.property(richGlobs, (glob) => {
        fc.pre(globProblem(glob) === undefined);
        assert.notEqual(commonPath(glob, glob), undefined);
        assert.notEqual(commonPath(glob, '**'), undefined);
      }),
    );
  });
});

describe('findOverlaps', () => {
  it('names both jobs, both globs and a path', () => {
    assert.deepEqual(
      findOverlaps([job('api', ['docs/*', 'src/api/**']), job('web', ['src/web/**', 'src/**/*.ts'])]),
      [{ a: 'api', b: 'web', globA: 'src/api/**', globB: 'src/**/*.ts', example: 'src/api/x.ts' }],
    );
    assert.deepEqual(findOverlaps([job('api', ['src/api/**']), job('web', ['src/web/**'])]), []);
  });

  it('passes over jobs that wait for one another, also indirectly', () => {
    const same = ['src/**'];
    assert.deepEqual(findOverlaps([job('a', same), job('b', same, ['a'])]), []);
    assert.deepEqual(findOverlaps([job('c', same, ['b']), job('b', [], ['a']), job('a', same)]), []);
  });

  it('keeps jobs that only wait for the same one', () => {
    const found = findOverlaps([job('a', []), job('b', ['x'], ['a']), job('c', ['x'], ['a'])]);
    assert.deepEqual(
      found.map(({ a, b }) => `${a} ${b}`),
      ['b c'],
    );
  });

  it('does not check jobs without paths', () => {
    assert.deepEqual(findOverlaps([job('a', []), job('b', ['**']), job('c', [])]), []);
  });

  it('ends on a cycle and on unknown dependencies', () => {
    const found = findOverlaps([job('a', ['x'], ['b']), job('b', ['x'], ['a']), job('c', ['x'], ['gone'])]);
    assert.deepEqual(
      found.map(({ a, b }) => `${a} ${b}`),
      ['a c', 'b c'],
    );
  });

  it('checks a hundred jobs with several globs in a moment', () => {
    const jobs = Array.from({ length: 100 }, (_, n) =>
      job(`j${n}`, [`src/part${n}/**`, `test/**/part${n}*.test.ts`, `docs/*/part${n}?.md`]),
    );
    const start = performance.now();
    findOverlaps(jobs);
    assert.ok(performance.now() - start < 8000, `${performance.now() - start} ms`);
  }).timeout(20_000);
});

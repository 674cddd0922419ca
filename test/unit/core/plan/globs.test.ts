import assert from 'node:assert/strict';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { globProblem, mayMatchBelow, pathMatches } from '../../../../src/core/plan/globs.ts';
import { globs, paths } from './globArbitraries.ts';

interface Case {
  glob: string;
  yes: string[];
  no: string[];
}

const cases: Case[] = [
  { glob: 'README.md', yes: ['README.md', 'README.md/x'], no: ['readme.md', 'README.mdx', 'docs/README.md'] },
  {
    glob: 'src/api',
    yes: ['src/api', 'src/api/a.ts', 'src/api/b/c.ts'],
    no: ['src/apis', 'src', 'src/ap', 'x/src/api'],
  },
  { glob: 'src/api/', yes: ['src/api/a.ts', 'src/api/b/c.ts'], no: ['src/apis/a.ts'] },
  { glob: 'src/*', yes: ['src/a.ts', 'src/.env'], no: ['src', 'src/a/b.ts', 'a.ts'] },
  { glob: 'src/*/', yes: ['src/a/b.ts', 'src/a/b/c.ts'], no: ['src', 'lib/a/b'] },
  {
    glob: 'src/*.ts',
    yes: ['src/a.ts', 'src/.ts', 'src/.hidden.ts'],
    no: ['src/a.ts/b', 'src/a.tsx', 'src/b/a.ts'],
  },
  { glob: '**', yes: ['a', '.a', 'a/b/.c'], no: [] },
  { glob: 'src/**', yes: ['src/a', 'src/.a/b'], no: ['src', 'srca/b'] },
  { glob: '**/a.ts', yes: ['a.ts', 'x/a.ts', 'x/y/a.ts', 'a.ts/x'], no: ['ba.ts', 'x/ba.ts'] },
  { glob: 'src/**/test', yes: ['src/test', 'src/test/a', 'src/a/b/test/c'], no: ['src', 'src/a/tests'] },
  { glob: 'src/**/*.md', yes: ['src/a.md', 'src/a/b.md'], no: ['src/a/b.ts', 'a.md'] },
  { glob: 'a?c', yes: ['abc', 'a.c', 'aüc', 'a😀c'], no: ['ac', 'abbc', 'a/c', 'abc/d'] },
  { glob: 'v[0-9]', yes: ['v1'], no: ['va', 'v10', 'v1/x'] },
  { glob: 'v[!0-9]', yes: ['va', 'v.'], no: ['v1', 'v/', 'v'] },
  { glob: 'v[^a]', yes: ['vb'], no: ['va'] },
  { glob: 'x[+-9]y', yes: ['x+y', 'x0y', 'x.y'], no: ['x/y'] },
  { glob: 'x[]-]', yes: ['x]', 'x-'], no: ['x'] },
  { glob: 'app/[[]id]/page.ts', yes: ['app/[id]/page.ts'], no: ['app/i/page.ts'] },
  { glob: 'app/(shop)/a,b.ts', yes: ['app/(shop)/a,b.ts'], no: ['app/shop/a'] },
  { glob: '{src,test}/api/**', yes: ['src/api/a', 'test/api/a'], no: ['lib/api/a'] },
  {
    glob: '{src/{a,b},lib}/*.{js,ts}',
    yes: ['src/a/x.js', 'src/b/x.ts', 'lib/x.js'],
    no: ['src/x.js', 'lib/x.md'],
  },
  { glob: 'a{,b}c', yes: ['ac', 'abc'], no: ['ab', 'a'] },
  { glob: 'a[{,}]b', yes: ['a{b', 'a,b', 'a}b'], no: ['ab'] },
  { glob: '??', yes: ['ab', '.a'], no: ['..', 'a'] },
];

describe('globs', () => {
  for (const { glob, yes, no } of cases) {
    it(`${glob} matches what it says`, () => {
      assert.equal(globProblem(glob), undefined);
      for (const path of yes) assert.ok(pathMatches([glob], path), path);
      for (const path of no) assert.ok(!pathMatches([glob], path), path);
    });
  }

  it('matches a path when one of several globs does', () => {
    assert.ok(pathMatches(['docs', 'src/*'], 'src/a'));
    assert.ok(!pathMatches(['docs', 'src/*'], 'lib/a'));
    assert.ok(!pathMatches([], 'a'));
  });

  it('never matches what is no path inside the repository', () => {
    for (const path of ['../a', 'a/../b', './a', '/a', 'a//b', 'a/', '', '.', '..']) {
      assert.ok(!pathMatches(['**', '*', '**/*', '?*'], path), path);
    }
    assert.ok(pathMatches(['**'], '...') && pathMatches(['**'], '..a/.b'));
  });

  const refused: [string, RegExp][] = [
    ['', /empty/],
    ['  ', /empty/],
    [' a', /space/],
    ['/etc/passwd', /absolute/],
    ['~/x', /absolute/],
    ['C:/x', /absolute/],
    ['../x', /"\.\."/],
    ['a/../b', /"\.\."/],
    ['a/{b,..}/c', /"\.\."/],
    ['a/.{,.}/c', /"\."/],
    ['.', /"\."/],
    ['./src/**', /src\/\*\* instead/],
    ['.git/config', /\.git/],
    ['src\\api', /\\/],
    ['a//b', /empty folder/],
    ['{a,}/b', /empty folder/],
    ['!src/**', /negation/],
    ['@(a|b)', /extended/],
    ['src/+(a)', /extended/],
    ['a**', /stand alone/],
    ['**a/b', /stand alone/],
    ['***', /two stars/],
    ['a[bc', /"\["/],
    ['a[]', /"\["/],
    ['a[z-a]', /backwards/],
    ['a[b/c]', /brackets/],
    ['a[[:alpha:]]', /named classes/],
    ['{a,b', /"\{"/],
    ['a}b', /"\}"/],
    ['{a}', /choice/],
    ['{1..3}', /choice/],
    ['a\u0000b', /control/],
    ['a\nb', /control/],
    ['x'.repeat(1001), /longer/],
    ['{a,b}'.repeat(8), /more than 200/],
  ];
  for (const [glob, reason] of refused) {
    it(`refuses ${JSON.stringify(glob.slice(0, 40))} and lets it match nothing`, () => {
      assert.match(globProblem(glob) ?? 'valid', reason);
      assert.ok(!pathMatches([glob], glob));
    });
  }

  it('reads long braces in a short time', () => {
    const start = performance.now();
    globProblem('{a,b,c,d}'.repeat(100));
    globProblem('{'.repeat(400) + 'a,b' + '}'.repeat(400));
    globProblem(`{${'a,'.repeat(400)}b}`);
    assert.ok(performance.now() - start < 2000);
  });

  it('knows in which folders nothing can match, and never says so of one that something matches in', () => {
    const below = (glob: string, folder: string) => mayMatchBelow([glob])(folder);
    for (const [glob, folder] of [
      ['.env', 'node_modules'],
      ['config/*.local', 'src'],
      ['config/*.local', 'config/sub'],
      ['a/b', 'a/c'],
    ] as const)
      assert.equal(below(glob, folder), false, `${glob} in ${folder}`);
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        if (!pathMatches([glob], path)) return;
        const names = path.split('/');
        for (let depth = 1; depth < names.length; depth++)
          assert.equal(below(glob, names.slice(0, depth).join('/')), true, `${glob} and ${path}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with picomatch', () => {
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        // What differs by design: a trailing ** needs something below it, and a folder includes what is below.
        const options = { dot: true, nonegate: true, noextglob: true, strictSlashes: true };
        // It knows [^a] only, not [!a].
        const spelled = glob.replaceAll('[!', '[^');
        const expanded = picomatch.isMatch(path, spelled, options) && !isItsOwnFolder(glob, path);
        const folder = /(^|\/)[^*?[\]{}/]+$/.test(glob) && picomatch.isMatch(path, `${spelled}/**`, options);
        assert.equal(pathMatches([glob], path), expanded || folder, `${glob} and ${path}`);
      }),
      { numRuns: 2000 },
    );
  }).timeout(20_000);
});

/** picomatch lets `a/**` match `a` itself. */
function isItsOwnFolder(glob: string, path: string): boolean {
  if (!glob.endsWith('/**')) return false;
  const depth = (text: string): number => text.split('/').filter((segment) => segment !== '**').length;
  return path.split('/').length <= depth(glob);
}

import assert from 'node:assert/strict';
import { locate } from '../../../../src/core/gates/locate.ts';

describe('locate', () => {
  const cases: [string, string | null][] = [
    ['src/a.ts', 'src/a.ts'],
    ['./src/../b.ts', 'b.ts'],
    ['/lane/src/a.ts', 'src/a.ts'],
    ['file:///lane/src/%C3%BC%20b.ts', 'src/ü b.ts'],
    ['/lane-2/src/a.ts', null],
    ['/lane/../other/a.ts', null],
    ['../a.ts', null],
    ['src/../../a.ts', null],
    ['node:internal/test', null],
    ['file:///lane/100%', null],
    ['/lane', null],
    ['', null],
  ];
  for (const [printed, expected] of cases) {
    it(`${printed || 'nothing'} is ${expected ?? 'no file of the worktree'}`, () => {
      assert.equal(locate(printed, '/lane'), expected);
      assert.equal(locate(printed, '/lane/'), expected);
    });
  }
});

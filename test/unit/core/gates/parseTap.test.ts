import assert from 'node:assert/strict';
import { parseTap } from '../../../../src/core/gates/parseTap.ts';
import { recorded, worktree } from './recorded.ts';

function rows(output: string): unknown[] {
  return parseTap(output, worktree).map(({ file, line, column, message }) => [file, line, column, message]);
}

describe('parseTap', () => {
  it("reads node's runner: failures without the suites above them, at the line that failed", () => {
    assert.deepEqual(rows(recorded('node-test.tap')), [
      [
        'test/cart.test.js',
        6,
        12,
        'cart > holds equal baskets: Expected values to be strictly deep-equal:\n' +
          '+ actual - expected\n  {\n    apples: 1,\n+   pears: 2\n-   pears: 3\n  }',
      ],
      // A timeout has no stack: where the test is defined.
      ['test/cart.test.js', 8, 3, 'cart > ends in time: test timed out after 20ms'],
      // A hook fails its suite, and nothing below it failed.
      ['test/cart.test.js', 12, 11, 'cleaning up: the cart is stuck'],
      ['test/load.test.js', 1, 1, 'test/load.test.js: test failed'],
      ['test/sum.test.js', 7, 12, 'sum > adds: Expected values to be strictly equal:\n4 !== 3'],
      // Thrown in the code under test: there, not in the test.
      ['src/sum.js', 2, 35, "sum > bad input > doesn't take a number # 1: not a list"],
      ['test/sum.test.js', 18, 50, 'async: it\'s "bad"'],
    ]);
  });

  it('finds nothing in a stream that passed', () => {
    assert.deepEqual(rows(recorded('node-test-passed.tap')), []);
  });

  it('passes over todo and skip, but not a "#" that belongs to the name', () => {
    const output = [
      'TAP version 13',
      'not ok 1 - a # TODO later',
      'not ok 2 - b # skip',
      'not ok 3 - c \\# TODO',
      'not ok 4',
    ];
    assert.deepEqual(rows(output.join('\n')), [
      [null, 1, 1, 'c # TODO'],
      [null, 1, 1, 'a test failed'],
    ]);
  });

  it('reads the places of tape and node-tap', () => {
    const output = [
      'TAP version 13',
      'not ok 1 should be equal',
      '  ---',
      '    operator: equal',
      `    at: Test.<anonymous> (${worktree}/test/a.js:5:7)`,
      '    stack: |-',
      '      Error: should be equal',
      `          at Test.assert (${worktree}/node_modules/tape/lib/test.js:311:54)`,
      `          at Test.<anonymous> (${worktree}/test/(old)/a.js:4:3)`,
      '  ...',
      'not ok 2 - equals',
      '  ---',
      '  at:',
      '    line: 8',
      '    column: 2',
      '    file: test/b.js',
      '  ...',
      'not ok 3 - throws',
      '  ---',
      '  stack: |',
      '    Test.<anonymous> (test/c.js:9:1)',
      '  ...',
    ];
    assert.deepEqual(rows(output.join('\n')), [
      ['test/(old)/a.js', 4, 3, 'should be equal'],
      ['test/b.js', 8, 2, 'equals'],
      ['test/c.js', 9, 1, 'throws'],
    ]);
  });

  it('names no file when everything lies outside the worktree, but says where', () => {
    const output = "not ok 1 - far\n  ---\n  location: '/elsewhere/a.js:3:4'\n  ...\n";
    assert.deepEqual(rows(output), [[null, 1, 1, '/elsewhere/a.js:3: far']]);
  });

  it('reads on behind dots that belong to a message', () => {
    const output = [
      'not ok 1 - long',
      '  ---',
      '  error: |-',
      '    + actual',
      '    ...',
      '    - expected',
      '  stack: |-',
      `    a (${worktree}/test/a.js:7:1)`,
      '  ...',
      'ok 2 - other',
    ];
    assert.deepEqual(rows(output.join('\n')), [['test/a.js', 7, 1, 'long: + actual\n...\n- expected']]);
  });

  it('reads ten thousand failures in less than the time of a check', () => {
    const output = Array.from(
      { length: 10_000 },
      (_, n) => `not ok ${n} - t\n  ---\n  location: 'a.js:1:1'\n  ...`,
    );
    assert.equal(rows(output.join('\n')).length, 10_000);
  });

  it('survives a stream that is cut off in its diagnostics, and reports a bail out', () => {
    assert.deepEqual(rows("not ok 1 - a\n  ---\n  location: 'test/a.js:2:3'\n  error: |-\n    half a"), [
      ['test/a.js', 2, 3, 'a: half a'],
    ]);
    assert.deepEqual(rows('TAP version 13\nBail out! no database\n'), [
      [null, 1, 1, 'Bail out! no database'],
    ]);
  });
});

import assert from 'node:assert/strict';
import { parseTap } from '../../../../src/core/gates/parseTap.ts';

const recorded = `not ok 1 prices round up
  Expected values to be strictly equal:

  1 !== 2

  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  1 !== 2

      at Context.<anonymous> (file:///tmp/a%20b%20%C3%BC/test/x.test.mjs:2:42)
      at process.processImmediate (node:internal/timers:574:21)
ok 2 prices add up
# tests 2
# pass 1
# fail 1
1..2
`;

describe("mocha's TAP, which has no YAML blocks", () => {
  it('locates a failure by its stack, and says its message once', () => {
    assert.deepEqual(parseTap(recorded, '/tmp/a b ü'), [
      {
        file: 'test/x.test.mjs',
        line: 2,
        column: 42,
        severity: 'error',
        message: 'prices round up: Expected values to be strictly equal:\n1 !== 2',
      },
    ]);
  });

  it('names no file when the stack lies elsewhere', () => {
    assert.equal(parseTap(recorded, '/tmp/other')[0]?.file, null);
  });

  it('has nothing to say of a stream that passed', () => {
    assert.deepEqual(parseTap('ok 1 a\nok 2 b\n# tests 2\n1..2\n', '/tmp'), []);
  });
});

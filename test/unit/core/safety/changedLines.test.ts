import assert from 'node:assert/strict';
import { changedLines } from '../../../../src/core/safety/changedLines.ts';

describe('changedLines', () => {
  it('leaves equal ends out', () => {
    assert.deepEqual(changedLines('a\nb\nc\n', 'a\nx\ny\nc\n'), ['- b', '+ x', '+ y']);
    assert.deepEqual(changedLines('a\n', 'a\na\n'), ['+ a']);
    assert.deepEqual(changedLines('a\na\n', 'a\n'), ['- a']);
  });

  it('knows an empty text, and the same one', () => {
    assert.deepEqual(changedLines('', 'a\n'), ['+ a']);
    assert.deepEqual(changedLines('a\n', ''), ['- a']);
    assert.deepEqual(changedLines('a\nb\n', 'a\nb\n'), []);
  });
});

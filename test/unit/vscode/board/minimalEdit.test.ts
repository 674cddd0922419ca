import assert from 'node:assert/strict';
import fc from 'fast-check';
import { minimalEdit } from '../../../../src/vscode/board/minimalEdit.ts';

describe('minimalEdit', () => {
  it('replaces only what is different', () => {
    assert.deepEqual(minimalEdit('paths: [a, b]\n', 'paths: [a, c]\n'), { start: 11, end: 12, text: 'c' });
    assert.deepEqual(minimalEdit('aa', 'aaa'), { start: 2, end: 2, text: 'a' });
    assert.deepEqual(minimalEdit('same', 'same'), { start: 4, end: 4, text: '' });
  });

  it('always makes the second text of the first', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { start, end, text: between } = minimalEdit(before, after);
        assert.equal(before.slice(0, start) + between + before.slice(end), after);
      }),
    );
  });
});

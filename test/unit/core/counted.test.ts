import assert from 'node:assert/strict';
import { counted } from '../../../src/core/counted.ts';

describe('counted', () => {
  it('has one of a thing, and more or none of things', () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => counted(count, 'file')),
      ['0 files', '1 file', '2 files'],
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseStatus } from '../../../src/engine/git/parseStatus.ts';
import { splitNul } from '../../../src/engine/git/splitNul.ts';

describe('parseStatus', () => {
  it('reads back states and bytes of any path', () => {
    const entry = fc.record({
      index: fc.constantFrom(' ', 'M', 'A', 'D', 'T', 'U', '?'),
      worktree: fc.constantFrom(' ', 'M', 'A', 'D', 'T', 'U', '?'),
      raw: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes.map((byte) => byte || 1))),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const output = Buffer.concat(
          entries.flatMap(({ index, worktree, raw }) => [
            Buffer.from(`${index}${worktree} `),
            raw,
            Buffer.of(0),
          ]),
        );
        const parsed = parseStatus(splitNul(output));
        const expected = entries.map(({ index, worktree, raw }) => [
          index,
          worktree,
          raw.toString('utf8'),
          raw.toString('hex'),
        ]);
        assert.deepEqual(
          parsed.map(({ index, worktree, path, raw }) => [index, worktree, path, raw.toString('hex')]),
          expected,
        );
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { listWorktrees, parseWorktreeList, type Worktree } from '../../../src/engine/git/worktreeList.ts';
import { tempRepository } from './tempRepository.ts';

describe('parseWorktreeList', () => {
  const sha = fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
    .map((all) => `a${all.slice(1).join('')}`);
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.includes('\0'));
  const worktree: fc.Arbitrary<Worktree> = fc.record(
    {
      path: text.map((name) => `/${name}`),
      head: fc.option(sha, { nil: null }),
      branch: fc.option(text, { nil: null }),
      bare: fc.boolean(),
      locked: fc.option(fc.oneof(text, fc.constant('')), { nil: null }),
      prunable: fc.option(text, { nil: null }),
    },
    { noNullPrototype: true },
  );

  /** What git prints for it. */
  function print(tree: Worktree): string {
    const attribute = (name: string, value: string | null) =>
      value === null ? [] : [value === '' ? name : `${name} ${value}`];
    const lines = [
      `worktree ${tree.path}`,
      ...(tree.bare ? ['bare'] : [`HEAD ${tree.head ?? '0'.repeat(40)}`]),
      ...(tree.branch === null ? ['detached'] : [`branch refs/heads/${tree.branch}`]),
      ...attribute('locked', tree.locked),
      ...attribute('prunable', tree.prunable),
    ];
    return lines.map((line) => `${line}\0`).join('') + '\0';
  }

  it('reads back whatever git can print: spaces, quotes, line ends and letters of any script', () => {
    fc.assert(
      fc.property(fc.array(worktree), (trees) => {
        const expected = trees.map((tree) => (tree.bare ? { ...tree, head: null } : tree));
        assert.deepEqual(parseWorktreeList(trees.map(print).join('')), expected);
      }),
    );
  });
});

describe('listWorktrees', () => {
  it('lists main, locked, detached and absent worktrees of a real repository', async () => {
    const repo = tempRepository();
    try {
      const odd = join(repo.folder, 'odd\nname "ü"');
      const gone = join(repo.folder, 'gone');
      repo.git(['worktree', 'add', '--quiet', '-b', 'side/ü', odd]);
      repo.git(['worktree', 'lock', '--reason', 'two\nlines', odd]);
      repo.git(['worktree', 'add', '--quiet', '--detach', gone]);
      rmSync(gone, { recursive: true });
      const head = repo.git(['rev-parse', 'HEAD']);
      const [main, first, second] = (await listWorktrees(repo.root)).sort(
        (a, b) => b.path.length - a.path.length,
      );
      assert.deepEqual(
        [main, first].sort((a, b) => ((a?.branch ?? '') < (b?.branch ?? '') ? -1 : 1)),
        [
          { path: repo.root, head, branch: 'main', bare: false, locked: null, prunable: null },
          { path: odd, head, branch: 'side/ü', bare: false, locked: 'two\nlines', prunable: null },
        ],
      );
      assert.equal(second?.path, gone);
      assert.equal(second?.branch, null);
      assert.notEqual(second?.prunable, null);
    } finally {
      repo.remove();
    }
  });
});

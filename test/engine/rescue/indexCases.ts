import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/tempRepository.ts';
import { status, type LaneCase } from './laneCase.ts';

/** States of the index. */
export const indexCases: LaneCase[] = [
  {
    name: 'staged, changed again after that, deleted and renamed files',
    prepare: (path) => {
      writeFileSync(join(path, 'src/a.txt'), 'staged\n');
      runGit(path, ['add', 'src/a.txt']);
      writeFileSync(join(path, 'src/a.txt'), 'and changed\n');
      runGit(path, ['mv', 'src/b.txt', 'src/c.txt']);
      rmSync(join(path, 'README.md'));
    },
    check: (path) => {
      assert.equal(status(path), ' D README.md\nMM src/a.txt\nR  src/b.txt -> src/c.txt');
      assert.equal(runGit(path, ['show', ':src/a.txt']), 'staged');
    },
  },
  {
    name: 'files that are only intended to be added',
    prepare: (path) => {
      writeFileSync(join(path, 'new.txt'), 'new\n');
      runGit(path, ['add', '--intent-to-add', 'new.txt']);
    },
    check: (path) => {
      assert.equal(status(path), ' A new.txt');
      const [, empty = ''] = runGit(path, ['ls-files', '--stage', 'new.txt']).split(' ');
      assert.equal(runGit(path, ['cat-file', '-t', empty]), 'blob');
    },
  },
  {
    name: 'a sparse checkout, with a file where none should be',
    prepare: (path) => {
      runGit(path, ['sparse-checkout', 'set', '--no-cone', '/*', '!/src/b.txt', '!/mixed.txt']);
      writeFileSync(join(path, 'mixed.txt'), 'there all the same\n');
    },
    check: (path) => {
      assert.equal(
        runGit(path, ['ls-files', '-t', 'src', 'mixed.txt']),
        'H mixed.txt\nH src/a.txt\nS src/b.txt',
      );
      assert.equal(existsSync(join(path, 'src/b.txt')), false);
    },
  },
  {
    name: 'changes that flags of the index hide',
    prepare: (path) => {
      runGit(path, ['update-index', '--assume-unchanged', 'README.md']);
      writeFileSync(join(path, 'README.md'), 'hidden change\n');
      runGit(path, ['update-index', '--skip-worktree', 'src/a.txt']);
      writeFileSync(join(path, 'src/a.txt'), 'hidden too\n');
    },
    check: (path) => {
      assert.equal(
        runGit(path, ['ls-files', '-v', 'README.md', 'src']),
        'h README.md\nS src/a.txt\nH src/b.txt',
      );
      assert.equal(status(path), '');
    },
  },
  {
    name: 'an index in two parts',
    prepare: (path) => {
      runGit(path, ['update-index', '--split-index']);
      writeFileSync(join(path, 'src/a.txt'), 'split\n');
      runGit(path, ['add', 'src/a.txt']);
    },
    check: (path) => assert.equal(status(path), 'M  src/a.txt'),
  },
  {
    name: 'a conflict whose sides are in no commit',
    prepare: (path) => {
      const sides = ['base', 'ours', 'theirs'].map((side, n) => {
        writeFileSync(join(path, 'side'), `${side} of nothing else\n`);
        return `100644 ${runGit(path, ['hash-object', '-w', 'side'])} ${n + 1}\tclash\n`;
      });
      rmSync(join(path, 'side'));
      execFileSync('git', ['update-index', '--index-info'], { cwd: path, input: sides.join('') });
    },
    check: (path) => {
      assert.equal(runGit(path, ['show', ':1:clash']), 'base of nothing else');
      assert.equal(runGit(path, ['show', ':3:clash']), 'theirs of nothing else');
    },
  },
];

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/tempRepository.ts';
import { attempt, status, type LaneCase } from './laneCase.ts';

/** Operations in progress, and commits that nothing but a reflog holds. */
export const operationCases: LaneCase[] = [
  {
    name: 'a merge with conflicts, and one that is resolved',
    prepare: (path) => {
      writeFileSync(join(path, 'src/a.txt'), 'mine\n');
      writeFileSync(join(path, 'src/b.txt'), 'mine\n');
      runGit(path, ['commit', '-qam', 'Mine']);
      runGit(path, ['checkout', '-q', '-b', 'theirs', 'HEAD~1']);
      writeFileSync(join(path, 'src/a.txt'), 'theirs\n');
      writeFileSync(join(path, 'src/b.txt'), 'theirs\n');
      runGit(path, ['commit', '-qam', 'Theirs']);
      runGit(path, ['checkout', '-q', '-']);
      attempt(path, ['merge', '-q', 'theirs']);
      writeFileSync(join(path, 'src/b.txt'), 'both\n');
      runGit(path, ['add', 'src/b.txt']);
      runGit(path, ['branch', '-qD', 'theirs']);
    },
    check: (path) => {
      assert.equal(status(path), 'UU src/a.txt\nM  src/b.txt');
      assert.equal(runGit(path, ['show', ':3:src/a.txt']), 'theirs');
      runGit(path, ['checkout', '--theirs', 'src/a.txt']);
      runGit(path, ['commit', '-qam', 'Merged']);
      assert.equal(runGit(path, ['log', '-1', '--format=%P']).split(' ').length, 2);
    },
  },
  {
    name: 'a rebase half-way, which then goes on',
    id: 'rebase',
    prepare: (path) => {
      for (const text of ['one', 'two', 'three']) {
        writeFileSync(join(path, 'src/a.txt'), `${text}\n`);
        runGit(path, ['commit', '-qam', text]);
      }
      writeFileSync(join(path, 'README.md'), 'not committed\n');
      const env = { ...process.env, GIT_SEQUENCE_EDITOR: 'sed -i 2s/pick/edit/' };
      const args = ['-c', 'rebase.autoStash=true', 'rebase', '-q', '-i', 'HEAD~3'];
      execFileSync('git', args, { cwd: path, env, stdio: 'ignore' });
      runGit(path, ['commit', '-q', '--amend', '-m', 'two, better']);
    },
    check: (path) => {
      runGit(path, ['rebase', '--continue']);
      assert.equal(runGit(path, ['log', '-3', '--format=%s']), 'three\ntwo, better\none');
      assert.equal(runGit(path, ['symbolic-ref', '--short', 'HEAD']), 'lane/rebase');
      assert.equal(readFileSync(join(path, 'README.md'), 'utf8'), 'not committed\n');
    },
  },
  {
    name: 'cherry-picking several commits, stopped at a conflict',
    prepare: (path) => {
      const start = runGit(path, ['rev-parse', 'HEAD']);
      for (const text of ['x', 'y', 'z']) {
        writeFileSync(join(path, 'src/a.txt'), `${text}\n`);
        runGit(path, ['commit', '-qam', text]);
      }
      const last = runGit(path, ['rev-parse', 'HEAD']);
      runGit(path, ['reset', '-q', '--hard', start]);
      attempt(path, ['cherry-pick', `${last}~1`, last]);
    },
    check: (path) => {
      runGit(path, ['checkout', '--theirs', 'src/a.txt']);
      runGit(path, ['add', 'src/a.txt']);
      execFileSync('git', ['cherry-pick', '--continue'], {
        cwd: path,
        env: { ...process.env, GIT_EDITOR: ':' },
        stdio: 'ignore',
      });
      assert.equal(runGit(path, ['log', '-2', '--format=%s']), 'z\ny');
    },
  },
  {
    name: 'a bisection',
    id: 'bisect',
    prepare: (path) => {
      for (const text of ['p', 'q', 'r', 's']) {
        writeFileSync(join(path, 'src/a.txt'), `${text}\n`);
        runGit(path, ['commit', '-qam', text]);
      }
      runGit(path, ['bisect', 'start', 'HEAD', 'HEAD~4']);
    },
    check: (path) => {
      assert.match(runGit(path, ['bisect', 'good']), /left to test|is the first bad|Bisecting/);
      runGit(path, ['bisect', 'reset']);
      assert.equal(runGit(path, ['symbolic-ref', '--short', 'HEAD']), 'lane/bisect');
    },
  },
  {
    name: 'commits that only the reflog still has',
    id: 'reflog',
    prepare: (path) => {
      for (let n = 0; n < 3; n += 1) {
        writeFileSync(join(path, 'lost.txt'), `lost ${n}\n`);
        runGit(path, ['add', '.']);
        runGit(path, ['commit', '-qm', `Lost ${n}`]);
        runGit(path, ['reset', '-q', '--hard', 'HEAD~1']);
      }
    },
    check: (path) => {
      assert.equal(runGit(path, ['show', 'HEAD@{1}:lost.txt']), 'lost 2');
      assert.equal(runGit(path, ['show', 'HEAD@{5}:lost.txt']), 'lost 0');
      assert.equal(runGit(path, ['show', 'lane/reflog@{2}:lost.txt']), 'lost 2');
    },
  },
  {
    name: 'a HEAD that is detached, and one without any commit',
    prepare: (path) => {
      runGit(path, ['checkout', '-q', '--detach']);
      writeFileSync(join(path, 'src/a.txt'), 'detached\n');
      runGit(path, ['commit', '-qam', 'Detached']);
      runGit(path, ['checkout', '-q', '--orphan', 'fresh']);
    },
    check: (path) => {
      assert.equal(runGit(path, ['symbolic-ref', 'HEAD']), 'refs/heads/fresh');
      const log = readFileSync(runGit(path, ['rev-parse', '--git-path', 'logs/HEAD']), 'utf8');
      const commit = log.trimEnd().split('\n').at(-1)?.split(' ')[1] ?? '';
      assert.equal(runGit(path, ['show', `${commit}:src/a.txt`]), 'detached');
    },
  },
];

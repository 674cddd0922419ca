import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/tempRepository.ts';
import { status, type LaneCase } from './laneCase.ts';

/** Repositories in a lane. */
export const repositoryCases: LaneCase[] = [
  {
    name: 'a repository inside, with commits of its own and unfinished work',
    prepare: (path) => {
      const inner = join(path, 'tools/inner');
      mkdirSync(inner, { recursive: true });
      runGit(inner, ['init', '-q', '-b', 'trunk']);
      for (const [key, value] of [
        ['user.name', 'I'],
        ['user.email', 'i@example.com'],
      ] as const)
        runGit(inner, ['config', key, value]);
      writeFileSync(join(inner, 'file'), '1\n');
      runGit(inner, ['add', '.']);
      runGit(inner, ['commit', '-qm', 'Inner']);
      writeFileSync(join(inner, 'file'), '2\n');
      runGit(inner, ['stash', '-q']);
      writeFileSync(join(inner, 'file'), 'dirty\n');
      writeFileSync(join(inner, '.gitignore'), '*.secret\n');
      writeFileSync(join(inner, 'x.secret'), 'never in a ref');
    },
    check: (path, rescue, repo) => {
      const inner = join(path, 'tools/inner');
      assert.equal(status(inner), ' M file\n?? .gitignore');
      assert.equal(runGit(inner, ['stash', 'list']).split('\n').length, 1);
      assert.match(runGit(inner, ['log', '--format=%s', 'trunk']), /Inner/);
      assert.match(runGit(inner, ['fsck']), /^$/);
      const listed = repo.git(['ls-tree', '-r', '--name-only', rescue.commit]);
      assert.match(listed, /tools\/inner\/file/);
      assert.doesNotMatch(listed, /x\.secret/);
      assert.equal(rescue.archive?.files, 1);
    },
  },
  {
    name: 'a submodule with commits that were never pushed',
    prepare: (path) => {
      const allow = ['-c', 'protocol.file.allow=always'];
      runGit(path, [...allow, 'submodule', '--quiet', 'add', join(path, '../../library'), 'sub module']);
      runGit(path, ['commit', '-qm', 'Submodule']);
      const sub = join(path, 'sub module');
      for (const [key, value] of [
        ['user.name', 'S'],
        ['user.email', 's@example.com'],
      ] as const)
        runGit(sub, ['config', key, value]);
      writeFileSync(join(sub, 'unpushed'), 'work\n');
      runGit(sub, ['add', '.']);
      runGit(sub, ['commit', '-qm', 'Unpushed']);
      writeFileSync(join(sub, 'dirty'), 'dirt\n');
    },
    check: (path) => {
      const sub = join(path, 'sub module');
      assert.equal(runGit(sub, ['log', '-1', '--format=%s']), 'Unpushed');
      assert.equal(status(sub), '?? dirty');
      assert.equal(runGit(path, ['submodule', 'status']).slice(0, 1), '+');
    },
  },
];

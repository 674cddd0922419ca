import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { rejectsWith } from '../git/rejectsWith.ts';
import { IsolationFixture } from './isolationFixture.ts';

describe('a change outside of a lane while its agent runs', function () {
  this.timeout(60_000);
  let fixture: IsolationFixture;
  before(() => (fixture = new IsolationFixture()));
  after(() => fixture.repository.remove());

  const git = (args: string[], cwd?: string) => fixture.git(args, cwd);
  const write = (files: Record<string, string>, cwd?: string) => fixture.repository.write(files, cwd);
  const tells = (...args: Parameters<IsolationFixture['tells']>) => fixture.tells(...args);

  describe('of settings', () => {
    it('is told by name, never by value, also for what an included file says', async () => {
      const { folder } = fixture.repository;
      const set = (name: string, value: string) => () => git(['config', name, value], fixture.own);
      const messages = await tells(set('core.fsmonitor', 'run-me'), ['config core.fsmonitor']);
      assert.doesNotMatch(messages, /run-me/);
      const shared = join(folder, 'shared.config');
      writeFileSync(shared, '[alias]\n\tx = status\n');
      await tells(set('include.path', shared), ['config alias.x', 'config include.path']);
      await tells(() => appendFileSync(shared, '\ty = log\n'), ['config alias.y']);
      await tells(
        () => git(['config', '--unset', 'include.path']),
        ['config alias.x', 'config alias.y', 'config include.path'],
      );
      assert.doesNotMatch(JSON.stringify(await fixture.take()), /ada@example\.com|run-me/);
    });

    it('is nothing for those of the own branch and of branches at work, and told for those of others', async () => {
      const describeBranch = (branch: string) => () => git(['config', `branch.${branch}.description`, 'd']);
      await tells(describeBranch('lane/own'), []);
      await tells(describeBranch('main'), ['config branch.main.description']);
      await tells(describeBranch('lane/other'), [], { busyBranches: ['lane/other'] });
    });

    it('is nothing for a comment, nor for settings of the own worktree alone', async () => {
      const { commonDir } = fixture.repository;
      git(['config', 'extensions.worktreeConfig', 'true']);
      await tells(() => git(['config', '--worktree', 'core.abbrev', '9'], fixture.own), []);
      await tells(() => appendFileSync(join(commonDir, 'config'), '# a word\n'), []);
      await tells(() => git(['config', '--worktree', 'core.abbrev', '9']), ['config core.abbrev']);
    });

    it('is told for attributes and excludes that all checkouts share', async () => {
      const { commonDir } = fixture.repository;
      const write = (name: string) => () => appendFileSync(join(commonDir, name), '*.bin binary\n');
      await tells(write('info/attributes'), ['config info/attributes']);
      await tells(write('info/exclude'), ['config info/exclude']);
    });

    it('is told with the cure where git was made to take the main checkout for none', async () => {
      const messages = await tells(
        () => git(['config', 'core.bare', 'true'], fixture.own),
        ['config core.bare'],
      );
      assert.match(
        messages,
        /every file of the main checkout for deleted; undo it there: git config core.bare false/,
      );
      await tells(() => git(['config', 'core.bare', 'false']), ['config core.bare']);
    });

    it('cannot be told where git cannot read them any more', async () => {
      const file = join(fixture.repository.commonDir, 'config');
      const text = readFileSync(file);
      appendFileSync(file, '[broken\n');
      await rejectsWith(fixture.take(), 'git_failed', 'config');
      writeFileSync(file, text);
      await fixture.take();
    });
  });

  describe('of hooks', () => {
    it('is told for content, mode and links, in git’s own folder', async () => {
      const { commonDir } = fixture.repository;
      const hook = join(commonDir, 'hooks', 'post-merge');
      mkdirSync(join(commonDir, 'hooks'), { recursive: true });
      await tells(() => writeFileSync(hook, '#!/bin/sh\n', { mode: 0o644 }), ['hooks hooks/post-merge']);
      await tells(() => chmodSync(hook, 0o755), ['hooks hooks/post-merge']);
      await tells(() => utimesSync(hook, 1, 1), []);
      await tells(() => {
        rmSync(hook);
        symlinkSync('/bin/true', hook);
      }, ['hooks hooks/post-merge']);
      assert.match(await tells(() => rmSync(hook), ['hooks hooks/post-merge']), /was removed/);
    });

    it('is told for the folder that the settings name, also where git ignores what is in it', async () => {
      const { root, folder } = fixture.repository;
      write({ '.git/info/exclude': '.husky\n', '.husky/_/pre-commit': 'x' });
      git(['config', 'core.hooksPath', '.husky']);
      await tells(() => write({ '.husky/_/pre-commit': 'y' }), ['hooks .husky/_/pre-commit']);
      await tells(() => write({ '.husky/node_modules/a.js': 'y' }), []);
      const elsewhere = join(folder, 'elsewhere');
      mkdirSync(elsewhere);
      await tells(() => git(['config', 'core.hooksPath', elsewhere]), ['config core.hookspath']);
      await tells(() => writeFileSync(join(elsewhere, 'pre-push'), 'x'), []);
      git(['config', '--unset', 'core.hooksPath']);
      rmSync(join(root, '.husky'), { recursive: true });
    });

    it('is told where hooks of the user come into force, and not for another setting of the user', async () => {
      const { folder } = fixture.repository;
      const before = process.env['GIT_CONFIG_GLOBAL'];
      const file = join(folder, 'of-the-user');
      process.env['GIT_CONFIG_GLOBAL'] = file;
      try {
        writeFileSync(file, '[alias]\n\tst = status\n');
        await tells(() => appendFileSync(file, '[alias]\n\tlo = log\n'), []);
        const hooks = () => appendFileSync(file, `[core]\n\thooksPath = ${folder}/evil\n`);
        assert.match(await tells(hooks, ['config core.hookspath']), /was added/);
        await tells(() => undefined, []);
      } finally {
        if (before === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
        else process.env['GIT_CONFIG_GLOBAL'] = before;
      }
    });
  });
});

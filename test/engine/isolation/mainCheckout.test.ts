import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copiedIn } from '../../../src/core/safety/fingerprint.ts';
import { foreignChanges } from '../../../src/core/safety/foreignChanges.ts';
import { takeFingerprint } from '../../../src/engine/isolation/takeFingerprint.ts';
import { IsolationFixture, nothingElse } from './isolationFixture.ts';

describe('a change of the main checkout while an agent runs in a lane', function () {
  this.timeout(60_000);
  let fixture: IsolationFixture;
  before(() => (fixture = new IsolationFixture()));
  after(() => fixture.repository.remove());

  const git = (args: string[], cwd?: string) => fixture.git(args, cwd);
  const write = (files: Record<string, string>, cwd?: string) => fixture.repository.write(files, cwd);
  const tells = (...args: Parameters<IsolationFixture['tells']>) => fixture.tells(...args);

  it('is told for a file that an agent writes there, also a second time', async () => {
    const { root } = fixture.repository;
    const edit = (text: string) => () => writeFileSync(join(root, 'src/b.txt'), text);
    assert.match(await tells(edit('once\n'), ['main src/b.txt']), /through an absolute path/);
    await tells(edit('more\n'), ['main src/b.txt']);
    await tells(() => utimesSync(join(root, 'src/b.txt'), 1, 1), []);
    await tells(() => chmodSync(join(root, 'src/b.txt'), 0o755), ['main src/b.txt']);
    await tells(() => write({ 'neu ü/x y.txt': 'x' }), ['main neu ü/x y.txt']);
  });

  it('is told where changes that were there are gone or were staged', async () => {
    await tells(() => git(['add', 'src/b.txt']), ['main src/b.txt']);
    const gone = await tells(() => git(['reset', '--quiet', '--hard']), ['main src/b.txt']);
    assert.match(gone, /had changes .* and has them no more/);
  });

  it('is told where git is made not to see a file, and where one changes that it does not see', async () => {
    const { root } = fixture.repository;
    const hide = (how: string) => () => void git(['update-index', `--${how}`, 'src/a.txt']);
    const told = await tells(() => {
      hide('assume-unchanged')();
      writeFileSync(join(root, 'src/a.txt'), 'evil\n');
    }, ['main src/a.txt']);
    assert.match(told, /hidden from git/);
    await tells(() => writeFileSync(join(root, 'src/a.txt'), 'more\n'), ['main src/a.txt']);
    await tells(() => undefined, []);
    git(['update-index', '--no-assume-unchanged', 'src/a.txt']);
    git(['restore', 'src/a.txt']);
    await tells(hide('skip-worktree'), ['main src/a.txt']);
    await tells(hide('no-skip-worktree'), ['main src/a.txt']);
  });

  it('is told for a file that git ignores and lanes get a copy of, and for no other of that kind', async () => {
    const { root } = fixture.repository;
    write({ '.git/info/exclude': '.env*\n', '.env': 'KEY=1\n', '.env.other': 'KEY=1\n' });
    const before = await takeFingerprint(fixture.repository, ['.env', 'absent']);
    assert.deepEqual(
      foreignChanges(before, await takeFingerprint(fixture.repository, copiedIn(before)), nothingElse),
      [],
    );
    write({ '.env': 'KEY=2\n', '.env.other': 'KEY=2\n' });
    const after = await takeFingerprint(fixture.repository, copiedIn(before));
    const changes = foreignChanges(before, after, nothingElse);
    assert.deepEqual(
      changes.map(({ name }) => name),
      ['.env'],
    );
    rmSync(join(root, '.git/info/exclude'));
    rmSync(join(root, '.env'));
    rmSync(join(root, '.env.other'));
  });

  it('is nothing for files that lanes get a copy of and git does not ignore, whichever is read first', async () => {
    const names = ['.env.a', '.env.b', '.env.c', '.env.d'];
    const text = 'KEY=of the person\n'.repeat(4000);
    write(Object.fromEntries(names.map((name) => [name, text])));
    const before = await takeFingerprint(fixture.repository, names);
    for (let look = 0; look < 12; look += 1)
      assert.deepEqual(await takeFingerprint(fixture.repository, names), before);
    write({ '.env.b': 'KEY=2\n' });
    const after = await takeFingerprint(fixture.repository, copiedIn(before));
    const changes = foreignChanges(before, after, nothingElse);
    assert.deepEqual(
      changes.map(({ name }) => name),
      ['.env.b'],
    );
    for (const name of names) rmSync(join(fixture.repository.root, name));
  });

  it('is told for a name that is not UTF-8, as one of its own', async () => {
    const { root } = fixture.repository;
    const at = (byte: number) => Buffer.concat([Buffer.from(`${root}/n`), Buffer.from([byte])]);
    await tells(() => {
      writeFileSync(at(0xff), '');
      writeFileSync(at(0xfe), '');
    }, ['main n\\xfe', 'main n\\xff']);
    rmSync(at(0xff));
    rmSync(at(0xfe));
  });

  it('is told where it was switched, and where its detached HEAD moved', async () => {
    git(['branch', '-f', 'twin', 'main']);
    const switched = await tells(() => git(['switch', '--quiet', 'twin']), ['main HEAD']);
    assert.match(switched, /switched from main to twin/);
    await tells(() => git(['switch', '--quiet', '--detach']), ['main HEAD']);
    await tells(() => git(['checkout', '--quiet', fixture.first]), ['main HEAD']);
    await tells(() => git(['switch', '--quiet', 'main']), ['main HEAD']);
  });

  it('is nothing for a lane that lies in it, and told for any other repository', async () => {
    const { root } = fixture.repository;
    await tells(() => git(['worktree', 'remove', '--force', 'inside']), []);
    await tells(() => git(['worktree', 'add', '--quiet', 'inside', 'lane/inside']), []);
    await tells(() => write({ 'x.txt': '1' }, join(root, 'inside')), []);
    const nested = join(root, 'nested');
    await tells(() => {
      mkdirSync(nested);
      git(['init', '--quiet'], nested);
      const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
      git([...who, 'commit', '--quiet', '--allow-empty', '-m', 'x'], nested);
    }, ['main nested/']);
    rmSync(nested, { recursive: true });
  });

  it('is nothing where AgentKit merges into it', async () => {
    write({ 'src/b.txt': 'of the person\n' });
    const tip = fixture.repository.commit({ 'src/merged.txt': 'm\n' }, 'Lane', fixture.own);
    const merge = () => git(['merge', '--quiet', '--ff-only', tip]);
    await tells(merge, [], { ours: { 'refs/heads/main': tip } });
    git(['checkout', '--quiet', '--', 'src/b.txt']);
  });

  it('is told of a repository without a main checkout, too', async () => {
    const { folder } = fixture.repository;
    const bare = join(folder, 'bare.git');
    git(['clone', '--quiet', '--bare', '.', bare]);
    const place = { root: bare, commonDir: bare };
    const before = await takeFingerprint(place);
    assert.equal(before.main, null);
    git(['branch', '-f', 'release', fixture.second], bare);
    const told = foreignChanges(before, await takeFingerprint(place), nothingElse).map(({ name }) => name);
    assert.deepEqual(told, ['refs/heads/release']);
  });

  it('is found with four git processes', async () => {
    const { folder } = fixture.repository;
    const calls = join(folder, 'calls');
    mkdirSync(join(folder, 'bin'));
    const count = `#!/bin/sh\necho call >> '${calls}'\nexec '${git(['--exec-path'])}/git' "$@"\n`;
    writeFileSync(join(folder, 'bin', 'git'), count, { mode: 0o755 });
    const { PATH } = process.env;
    process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`;
    try {
      await fixture.take();
    } finally {
      process.env['PATH'] = PATH;
    }
    assert.equal(readFileSync(calls, 'utf8'), 'call\n'.repeat(4));
  });
});

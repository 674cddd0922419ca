import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { checkLaneFolder } from '../../../src/engine/git/checkLaneFolder.ts';
import { configuredLaneRoot } from '../../../src/engine/git/configuredLaneRoot.ts';
import { createLane } from '../../../src/engine/git/createLane.ts';
import { lanePlace } from '../../../src/engine/git/lanePlace.ts';
import { defaultLaneRoot } from '../../../src/engine/git/laneRoot.ts';
import { listWorktrees } from '../../../src/engine/git/worktreeList.ts';
import { rejectsWith } from './rejectsWith.ts';
import { tempRepository, type TempRepository } from './tempRepository.ts';

describe('configuredLaneRoot', function () {
  this.timeout(30_000);
  let repository: TempRepository;
  let usual: string;
  before(async () => {
    repository = tempRepository();
    usual = await defaultLaneRoot(repository);
  });
  after(() => repository.remove());

  const rootOf = (wanted: string | undefined) => configuredLaneRoot(repository, wanted);

  /** The default one is used, for this reason. */
  async function fallsBack(wanted: string, why: RegExp): Promise<void> {
    const { folder, warnings } = await rootOf(wanted);
    assert.equal(folder, usual);
    assert.equal(warnings.length, 1);
    assert.ok(
      warnings[0]?.startsWith(`Lanes go to ${usual}, not to worktree.root of agentkit.yaml: `),
      warnings[0],
    );
    assert.match(warnings[0] ?? '', why);
  }

  it('counts from the main checkout, with its name for {repo}; without a word it is the default', async () => {
    const { folder, root } = repository;
    assert.deepEqual(await rootOf(undefined), { folder: usual, warnings: [] });
    const named = await rootOf('../near/{repo}-x');
    assert.deepEqual(named, { folder: join(folder, 'near', `${basename(root)}-x`), warnings: [] });
    assert.equal(existsSync(join(folder, 'near')), false, 'nothing is made');
    const absolute = join(folder, 'elsewhere');
    assert.deepEqual(await rootOf(absolute), { folder: absolute, warnings: [] });
  });

  it('resolves a link, as lanes are not made through one', async () => {
    mkdirSync(join(repository.folder, 'big disk'));
    symlinkSync('big disk', join(repository.folder, 'linked'));
    const { folder, warnings } = await rootOf('../linked/lanes');
    assert.deepEqual([folder, warnings], [join(repository.folder, 'big disk', 'lanes'), []]);
    const { path, branch } = lanePlace(folder, 'linked');
    await createLane(repository.lane('linked', { path, branch }));
    assert.equal(existsSync(join(path, 'README.md')), true);
  });

  it('falls back, and says why, where no lanes can be made', async () => {
    writeFileSync(join(repository.folder, 'file'), '');
    repository.git(['worktree', 'add', '--quiet', '--detach', join(repository.folder, 'theirs')]);
    await fallsBack('../file', /file cannot be made, as .*file is no folder\.$/);
    await fallsBack('../file/lanes', /cannot be reached \(ENOTDIR\)|is no folder/);
    await fallsBack('../theirs/lanes', /lies in the worktree .*theirs\.$/);
    await fallsBack('.git/lanes', /lies in git's own folder\.$/);
    await fallsBack('.', /is the main checkout itself\.$/);
  });

  it('leaves the folder that the repository lies in only through a link that a person made beside it', async () => {
    const far = /lies outside of .*, which the repository lies in; .*make a link to it beside the repository/;
    await fallsBack('{repo}/../../../../../../../../etc/x', far);
    await fallsBack('/proc/x', far);
    const disk = mkdtempSync(join(tmpdir(), 'agentkit-disk-'));
    try {
      symlinkSync(disk, join(repository.root, 'tracked'));
      await fallsBack('tracked/lanes', far);
      symlinkSync(disk, join(repository.folder, 'mine'));
      const real = join(realpathSync(disk), 'lanes');
      assert.deepEqual(await rootOf('../mine/lanes'), { folder: real, warnings: [] });
      await fallsBack(join(disk, 'lanes'), far);
    } finally {
      rmSync(disk, { recursive: true });
      rmSync(join(repository.root, 'tracked'), { force: true });
    }
  });

  it('falls back from a folder that cannot be written, and takes it once it can', async () => {
    const closed = join(repository.folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o555);
    chmodSync(repository.folder, 0o755);
    // Everything is open to the superuser, so that one stops being it, in a process of its own.
    const module = new URL('../../../src/engine/git/configuredLaneRoot.ts', import.meta.url).href;
    const { root, commonDir } = repository;
    const code = `import { configuredLaneRoot } from ${JSON.stringify(module)};
      if (process.getuid() === 0) process.setuid(65534);
      const found = await configuredLaneRoot(${JSON.stringify({ root, commonDir })}, '../closed/lanes');
      console.log(found.warnings.join());`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    assert.match(said, /closed\/lanes cannot be written \(.*closed\)\.\n$/);
    chmodSync(closed, 0o755);
    assert.deepEqual(await rootOf('../closed/lanes'), { folder: join(closed, 'lanes'), warnings: [] });
  });

  it('takes a folder inside the checkout only where git ignores all of it, and names what else is to be left out', async () => {
    await fallsBack('lanes', /lies in the main checkout.*add \/lanes\/ to \.gitignore/);
    await fallsBack('src', /lies in the main checkout.*have no tracked files in it/);
    writeFileSync(join(repository.commonDir, 'info', 'exclude'), '/lanes/\n/src/\n');
    await fallsBack('src', /have no tracked files in it/);
    const { folder, warnings } = await rootOf('lanes');
    assert.equal(folder, join(repository.root, 'lanes'));
    assert.match(
      warnings.join(),
      /inside the checkout.*search\.exclude and files\.watcherExclude: "lanes\/\*\*"/,
    );
    const { path, branch } = lanePlace(folder, 'inside');
    await createLane(repository.lane('inside', { path, branch }));
    assert.equal(existsSync(join(path, 'README.md')), true);
    assert.equal(repository.git(['status', '--porcelain']), '');
    const worktrees = await listWorktrees(repository.root);
    await rejectsWith(
      checkLaneFolder(repository, join(path, 'nested'), worktrees),
      'refused',
      /lies inside the checkout/,
    );
    const open = join(repository.root, 'docs', 'lane');
    await rejectsWith(checkLaneFolder(repository, open, worktrees), 'refused', /lies inside the checkout/);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { previewRescue } from '../../../src/engine/rescue/previewRescue.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { runGit } from '../git/tempRepository.ts';
import { adminSnapshot, worktreeSnapshot } from './laneSnapshot.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

describe('previewRescue', () => {
  let repo: RescueFixture;
  before(() => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'cache/\nnode_modules/\n.env\n' });
  });
  after(() => repo.remove());

  it('finds nothing to lose in a fresh lane', async () => {
    const lane = await repo.make('fresh');
    assert.deepEqual(await previewRescue(repo.rescueRequest(lane)), {
      changed: [],
      untracked: [],
      ignored: { files: 0, bytes: 0, largest: [] },
      reflogOnly: [],
      operation: null,
      nested: [],
      submodules: [],
      notKept: [],
    });
  });

  it('names all that could be lost, and changes nothing', async () => {
    const library = join(repo.folder, 'library');
    mkdirSync(library);
    runGit(library, ['init', '-q', '-b', 'main']);
    const who = ['-c', 'user.name=L', '-c', 'user.email=l@example.com'];
    runGit(library, [...who, 'commit', '-q', '--allow-empty', '-m', 'L']);
    const lane = await repo.make('busy');
    const at = (name: string) => join(lane.path, name);
    runGit(lane.path, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub']);
    runGit(lane.path, ['commit', '-qm', 'Sub']);
    runGit(at('sub'), [...who, 'commit', '-q', '--allow-empty', '-m', 'Unpushed']);
    writeFileSync(at('sub/dirty'), '');
    mkdirSync(at('inner'));
    runGit(at('inner'), ['init', '-q']);
    mkdirSync(at('node_modules'));
    writeFileSync(at('node_modules/x'), 'x'.repeat(1000));
    mkdirSync(at('cache'));
    writeFileSync(at('cache/small'), 'x');
    writeFileSync(at('cache/large'), 'x'.repeat(500));
    writeFileSync(at('.env'), 'copied there');
    repo.write({ '.env': 'copied there', 'put there/file': 'linked there' });
    symlinkSync(join(repo.root, 'put there'), at('put there'));
    writeFileSync(at('README.md'), 'lost\n');
    runGit(lane.path, ['commit', '-qam', 'Lost']);
    const lost = runGit(lane.path, ['rev-parse', 'HEAD']);
    runGit(lane.path, ['reset', '-q', '--hard', 'HEAD~1']);
    writeFileSync(at('new'), '');
    runGit(lane.path, ['update-index', '--assume-unchanged', 'src/b.txt']);
    writeFileSync(at('src/b.txt'), 'hidden\n');
    writeFileSync(at('src/a.txt'), 'mine\n');
    runGit(lane.path, ['commit', '-qm', 'Mine', 'src/a.txt']);
    writeFileSync(join(repo.admin(lane.path), 'REVERT_HEAD'), `${lost}\n`);
    const before = [worktreeSnapshot(lane.path), adminSnapshot(repo.admin(lane.path))];
    const preview = await previewRescue(repo.rescueRequest(lane, { leaveOut: ['.env', 'put there'] }));
    assert.deepEqual([worktreeSnapshot(lane.path), adminSnapshot(repo.admin(lane.path))], before);
    assert.deepEqual(preview.changed, ['src/b.txt', 'sub']);
    assert.deepEqual(preview.untracked, ['inner/', 'new']);
    assert.deepEqual(preview.ignored, {
      files: 2,
      bytes: 501,
      largest: [
        { path: 'cache/large', bytes: 500 },
        { path: 'cache/small', bytes: 1 },
      ],
    });
    assert.deepEqual(preview.reflogOnly, [lost]);
    assert.equal(preview.operation, 'revert');
    assert.deepEqual(preview.nested, ['inner']);
    assert.deepEqual(preview.submodules, [{ path: 'sub', dirty: true, unpushed: 1 }]);
    const { leftOut } = await repo.rescue(lane, { leaveOut: ['.env', 'put there'] });
    assert.deepEqual(leftOut, ['.env', 'node_modules', 'put there']);
  });

  it('names all that the rescue itself would not keep, and nothing of what it would', async () => {
    const lane = await repo.make('special');
    const at = (name: string) => join(lane.path, name);
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('cache'));
    writeFileSync(at('cache/small'), 'x');
    writeFileSync(at('cache/large'), 'x'.repeat(500));
    writeFileSync(at('README.md'), 'in a tree of its own\n');
    runGit(lane.path, ['commit', '-qam', 'Lost']);
    const [lost, tree] = runGit(lane.path, ['rev-parse', 'HEAD', 'HEAD^{tree}']).split('\n') as [
      string,
      string,
    ];
    runGit(lane.path, ['reset', '-q', '--hard', 'HEAD~1']);
    rmSync(join(lane.commonDir, 'objects', tree.slice(0, 2), tree.slice(2)));
    const preview = await previewRescue(repo.rescueRequest(lane, { archiveLimit: 100 }));
    const rescue = await repo.rescue(lane, { archiveLimit: 100 });
    assert.deepEqual(preview.notKept, rescue.notKept);
    assert.deepEqual(
      preview.notKept.map(({ path }) => path),
      ['pipe', `commit ${lost}`, 'cache'],
    );
  });

  it('looks only into the lane that is meant, also when its folder is gone', async () => {
    const lane = await repo.make('gone');
    await rejectsWith(previewRescue(repo.rescueRequest(lane, { nonce: 'x' })), 'conflict', lane.path);
    rmSync(lane.path, { recursive: true });
    assert.deepEqual((await previewRescue(repo.rescueRequest(lane))).changed, []);
  });
});

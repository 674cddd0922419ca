import assert from 'node:assert/strict';
import { isMerged } from '../../../src/engine/removal/isMerged.ts';
import { tempRepository, type TempRepository } from '../git/tempRepository.ts';

describe('isMerged', () => {
  let repo: TempRepository;
  let base: string;
  beforeEach(() => {
    repo = tempRepository();
    base = repo.git(['rev-parse', 'HEAD']);
    repo.git(['checkout', '--quiet', '-b', 'work']);
    repo.commit({ 'one.txt': '1\n2\n3\n' }, 'One');
    repo.commit({ 'ü two.txt': '2\n', 'src/a.txt': 'changed\n' }, 'Two');
  });
  afterEach(() => repo.remove());

  const onMain = () => repo.git(['checkout', '--quiet', 'main']);
  const merged = (target: string | null = 'main') => {
    const { root, commonDir } = repo;
    return isMerged({ root, commonDir, base, branch: 'work', target }, repo.git(['rev-parse', 'work']));
  };

  it('sees a merge, and that nothing was merged yet', async () => {
    assert.equal(await merged(), false);
    onMain();
    repo.git(['merge', '--quiet', '--no-ff', '-m', 'Merge', 'work']);
    assert.equal(await merged(), true);
  });

  it('sees a squash beside other work, also when its files were changed or taken back since', async () => {
    onMain();
    repo.commit({ 'src/b.txt': 'other work\n' }, 'Other');
    repo.git(['merge', '--quiet', '--squash', 'work']);
    repo.commit({}, 'Squash');
    assert.equal(await merged(), true);
    repo.commit({ 'one.txt': 'all\nelse\n', 'src/a.txt': 'again\n' }, 'Later');
    assert.equal(await merged(), true);
  });

  it('sees commits that were rebased or picked, and misses none of them', async () => {
    onMain();
    repo.commit({ 'src/b.txt': 'other work\n' }, 'Other');
    repo.git(['cherry-pick', 'work~1']);
    assert.equal(await merged(), false);
    repo.git(['cherry-pick', 'work']);
    assert.equal(await merged(), true);
  });

  it('takes a part of a file, or another content of it, for no merge', async () => {
    onMain();
    repo.commit({ 'one.txt': '1\n2\n', 'ü two.txt': '2\n', 'src/a.txt': 'changed\n' }, 'Nearly');
    assert.equal(await merged(), false);
  });

  it('takes commits that take each other back for no merge: nothing else has them', async () => {
    repo.git(['checkout', '--quiet', '-B', 'work', base]);
    repo.commit({ 'tried.txt': 'tried\n' }, 'Try');
    repo.git(['revert', '--no-edit', 'HEAD']);
    assert.equal(await merged(), false);
    onMain();
    repo.git(['merge', '--quiet', 'work']);
    assert.equal(await merged(), true);
  });

  it('sees what only the target of a remote has, and takes no other pushed branch for the target', async () => {
    const tip = repo.git(['rev-parse', 'work']);
    repo.git(['update-ref', 'refs/remotes/origin/work', tip]);
    repo.git(['update-ref', 'refs/remotes/origin/main/below', tip]);
    assert.equal(await merged(), false);
    repo.git(['update-ref', '-d', 'refs/remotes/origin/main/below']);
    repo.git(['update-ref', 'refs/remotes/origin/main', tip]);
    assert.equal(await merged(), true);
  });

  it('without a target, or with one that is gone, holds only what the lane began with for merged', async () => {
    assert.equal(await merged(null), false);
    assert.equal(await merged('nowhere'), false);
    repo.git(['checkout', '--quiet', '-B', 'work', base]);
    assert.equal(await merged(null), true);
    assert.equal(await merged('nowhere'), true);
    repo.git(['checkout', '--quiet', '--orphan', 'apart']);
    repo.commit({}, 'Apart');
    repo.git(['branch', '--force', 'main', 'apart']);
    assert.equal(await merged(null), false, 'nobody else has what the lane began with any more');
  });

  it('takes a history that has nothing in common with the target for no merge', async () => {
    repo.git(['checkout', '--quiet', '--orphan', 'apart']);
    repo.commit({ 'apart.txt': 'apart\n' }, 'Apart');
    repo.git(['branch', '--force', 'work', 'apart']);
    assert.equal(await merged(), false);
  });
});

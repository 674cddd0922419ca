import assert from 'node:assert/strict';
import { IsolationFixture } from './isolationFixture.ts';

describe('a change outside of a lane while its agent runs', function () {
  this.timeout(60_000);
  let fixture: IsolationFixture;
  before(() => (fixture = new IsolationFixture()));
  after(() => fixture.repository.remove());

  const git = (args: string[], cwd?: string) => fixture.git(args, cwd);
  const write = (files: Record<string, string>, cwd?: string) => fixture.repository.write(files, cwd);
  const tells = (...args: Parameters<IsolationFixture['tells']>) => fixture.tells(...args);

  it('is nothing where the agent keeps to its lane, whatever it does there', async () => {
    await tells(() => {
      fixture.repository.commit({ 'src/new.txt': 'n\n' }, 'Work', fixture.own);
      write({ 'left.txt': 'x' }, fixture.own);
      git(['branch', '--set-upstream-to=main', 'lane/own'], fixture.own);
      git(['rebase', '--quiet', '--autostash', fixture.first], fixture.own);
      git(['reset', '--quiet', '--hard', fixture.second], fixture.own);
    }, []);
  });

  it('is nothing of what a fetch brings to the remote-tracking branches', async () => {
    await tells(() => {
      git(['update-ref', 'refs/remotes/origin/main', fixture.second]);
      git(['update-ref', 'refs/remotes/origin/new', fixture.second]);
      git(['update-ref', 'refs/prefetch/remotes/origin/new', fixture.second]);
    }, []);
  });

  describe('of refs', () => {
    it('is told for a branch that was moved, made or deleted, with where it was', async () => {
      assert.match(
        await tells(
          () => git(['branch', '-f', 'release', fixture.second], fixture.own),
          ['ref refs/heads/release'],
        ),
        new RegExp(`moved to ${fixture.second}; it was at ${fixture.first}`),
      );
      await tells(() => git(['branch', 'mine'], fixture.own), ['ref refs/heads/mine']);
      const deleted = await tells(() => git(['branch', '-D', 'mine'], fixture.own), ['ref refs/heads/mine']);
      assert.match(deleted, new RegExp(`git update-ref refs/heads/mine ${fixture.second}`));
    });

    it('is told for the target, unless AgentKit moved it exactly there', async () => {
      const move = (to: string) => () => git(['update-ref', 'refs/heads/release', to]);
      await tells(move(fixture.first), ['ref refs/heads/release']);
      await tells(move(fixture.second), [], { ours: { 'refs/heads/release': fixture.second } });
      await tells(move(fixture.first), ['ref refs/heads/release'], {
        ours: { 'refs/heads/release': fixture.second },
      });
      await tells(() => undefined, ['ref refs/heads/release'], {
        ours: { 'refs/heads/release': fixture.second },
      });
      await tells(() => git(['branch', '-D', 'release']), [], { ours: { 'refs/heads/release': null } });
      await tells(move(fixture.first), ['ref refs/heads/release'], { ours: { 'refs/heads/release': null } });
    });

    it('is told for the branch of another lane, unless that lane was at work too', async () => {
      const move = (to: string) => () => git(['update-ref', 'refs/heads/lane/other', to]);
      await tells(move(fixture.first), ['ref refs/heads/lane/other']);
      await tells(move(fixture.second), [], { busyBranches: ['lane/other'] });
      const gone = () => git(['update-ref', '-d', 'refs/heads/lane/other']);
      await tells(gone, ['ref refs/heads/lane/other'], { busyBranches: ['lane/other'] });
      await tells(move(fixture.second), [], { busyBranches: ['lane/other'] });
    });

    it('is told where the own branch was made another name for the target', async () => {
      const link = () => git(['symbolic-ref', 'refs/heads/lane/own', 'refs/heads/main']);
      assert.match(await tells(link, ['ref refs/heads/lane/own']), /another name for refs\/heads\/main/);
      await tells(() => {
        git(['symbolic-ref', '--delete', 'refs/heads/lane/own']);
        git(['update-ref', 'refs/heads/lane/own', fixture.second]);
      }, []);
    });

    it('is told for tags, and for the stash with a word for the person', async () => {
      assert.match(
        await tells(() => git(['tag', 'v1'], fixture.own), ['ref refs/tags/v1']),
        /as a fetch does too/,
      );
      write({ 'src/b.txt': 'stashed\n' }, fixture.own);
      const stashed = await tells(() => git(['stash', 'push', '--quiet'], fixture.own), ['ref refs/stash']);
      assert.match(stashed, /If you did that yourself/);
    });
  });

  describe('of rescues', () => {
    const ref = 'refs/agentkit/rescue/own/1';

    it('is told for one that was deleted or moved, with what it kept', async () => {
      const rescues = { [ref]: fixture.second };
      const gone = await tells(() => git(['update-ref', '-d', ref]), [`rescue ${ref}`], { rescues });
      assert.match(gone, new RegExp(`was deleted; what it keeps is at ${fixture.second}`));
      // Also when it was gone before: what the journal knows counts.
      await tells(() => undefined, [`rescue ${ref}`], { rescues });
      await tells(() => git(['update-ref', ref, fixture.first]), [`rescue ${ref}`], { rescues });
      await tells(() => git(['update-ref', ref, fixture.second]), [], { rescues });
      await tells(() => git(['update-ref', ref, fixture.first]), [`rescue ${ref}`]);
    });

    it('is nothing for a new one, and for one that AgentKit dropped', async () => {
      const fresh = 'refs/agentkit/rescue/other/2';
      await tells(() => git(['update-ref', fresh, fixture.first]), []);
      await tells(() => git(['update-ref', '-d', fresh]), [], { ours: { [fresh]: null } });
      await tells(() => git(['update-ref', fresh, fixture.first]), [`rescue ${fresh}`], {
        ours: { [fresh]: null },
      });
    });
  });
});

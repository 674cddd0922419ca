import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { runGit } from '../git/tempRepository.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

/** Lanes with a submodule, of which somebody removed something by hand. */
describe('a lane that somebody damaged by hand', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;

  before(async () => {
    world = new DemoWorld(['one']);
    const library = join(world.root, 'library');
    mkdirSync(library);
    runGit(library, ['init', '--quiet', '-b', 'main']);
    writeFileSync(join(library, 'lib.c'), 'lib\n');
    runGit(library, ['add', '.']);
    runGit(library, [...committer, 'commit', '--quiet', '-m', 'lib']);
    world.git(...local, 'submodule', '--quiet', 'add', library, 'mod');
    world.git('commit', '--quiet', '-m', 'mod');
    kit = await world.kit();
  });
  after(() => world.dispose());

  const committer = ['-c', 'user.name=L', '-c', 'user.email=l@example.invalid'];
  const local = ['-c', 'protocol.file.allow=always'];

  /** A new lane with a commit in its submodule that nobody else has. */
  async function make(id: string): Promise<string> {
    const [lane] = await kit.lanes.create([id]);
    const path = lane!.path!;
    runGit(path, [...local, 'submodule', '--quiet', 'update', '--init']);
    writeFileSync(join(path, 'mod/lib.c'), 'changed\n');
    runGit(join(path, 'mod'), [...committer, 'commit', '--quiet', '-a', '-m', 'unpushed']);
    writeFileSync(join(path, 'draft.txt'), 'work\n');
    return path;
  }

  it('can be discarded though its folder is gone, and the commits of its submodule come back', async () => {
    const path = await make('gone');
    const commit = runGit(join(path, 'mod'), ['rev-parse', 'HEAD']);
    rmSync(path, { recursive: true });
    const preview = await kit.lanes.previewDiscard('gone');
    assert.deepEqual(preview.why_not, []);
    const answer = await kit.lanes.discard('gone', { acceptsLoss: true });
    assert.ok(answer.ok, answer.message);
    const back = await kit.lanes.restore(answer.rescue!);
    assert.equal(back.state, 'open', back.why_not.join(' '));
    const repository = runGit(back.path!, ['rev-parse', '--git-path', 'modules/mod']);
    assert.equal(
      runGit(back.path!, ['--git-dir', repository, '--work-tree', '.', 'cat-file', '-t', commit]),
      'commit',
    );
  });

  it('is kept with the cure when its .git is gone, and goes once that was done', async () => {
    const path = await make('cut-off');
    rmSync(join(path, '.git'));
    const preview = await kit.lanes.previewDiscard('cut-off');
    assert.match(preview.why_not.join(' '), /git worktree repair/);
    const refused = await kit.lanes.discard('cut-off');
    assert.equal(refused.ok, false);
    assert.match(refused.message, /git worktree repair/);
    assert.equal(readFileSync(join(path, 'draft.txt'), 'utf8'), 'work\n');
    world.git('worktree', 'repair');
    const answer = await kit.lanes.discard('cut-off');
    assert.ok(answer.ok, answer.message);
    assert.ok(!existsSync(path));
    const back = await kit.lanes.restore(answer.rescue!);
    assert.equal(readFileSync(join(back.path!, 'draft.txt'), 'utf8'), 'work\n');
  });
});

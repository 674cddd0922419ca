import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import { runGit } from '../git/tempRepository.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('a worktree whose run is lost', function () {
  this.timeout(180_000);
  let world: DemoWorld;
  let kit: AgentKit;
  let runs: string;

  before(async () => {
    world = new DemoWorld(['one']);
    runs = join(world.repo, '.git/agentkit/runs');
    world.write('.env', 'KEY=of the person\n');
    const worktree = { copy: ['.env'], setup: [`echo ran >> "${join(world.root, 'setups')}"`] };
    world.write('agentkit.yaml', stringify({ version: 1, worktree }));
    world.git('add', 'agentkit.yaml');
    world.git('commit', '--quiet', '-m', 'settings');
    kit = await world.kit('editor');
  });
  after(() => world.dispose());

  const clean = () => kit.lanes.clean({ merged: false, dryRun: true });
  const setups = () => readFileSync(join(world.root, 'setups'), 'utf8').split('\n').length - 1;

  /** Every byte of a lane's folder, and of its index, HEAD and branch. */
  function contentOf(path: string): unknown {
    const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const files = names.map(({ parentPath, name }) => join(parentPath, name)).sort();
    const at = (name: string) => runGit(path, ['rev-parse', '--path-format=absolute', '--git-path', name]);
    return {
      files: files.map((file) => [file, readFileSync(file).toString('base64')]),
      head: readFileSync(at('HEAD'), 'utf8'),
      log: readFileSync(at('logs/HEAD'), 'utf8'),
      index: readFileSync(at('index')).toString('base64'),
      staged: runGit(path, ['ls-files', '--stage']),
      branch: runGit(path, ['rev-parse', 'HEAD', 'lane/work']),
    };
  }

  it('becomes a lane by hand byte for byte as it was, is worked on, discarded and restored like any', async () => {
    const made = await kit.lanes.create(['work', 'other']);
    const path = made[0]!.path!;
    const setUp = setups();
    writeFileSync(join(path, 'app.txt'), 'staged\r\n');
    runGit(path, ['add', 'app.txt']);
    writeFileSync(join(path, 'app.txt'), 'and changed again\n');
    writeFileSync(join(path, 'draft.txt'), 'work of hours\n');
    rmSync(runs, { recursive: true });
    mkdirSync(runs);
    kit = await world.kit('editor');
    const { kept } = await clean();
    assert.deepEqual(kept.map(({ lane, adoptable }) => [lane, adoptable]).sort(), [
      ['other', true],
      ['work', true],
    ]);
    assert.match(kept[0]!.reasons.join(' '), /ak lane adopt "/);
    const before = contentOf(path);
    const [lane] = await kit.lanes.adopt([path]);
    assert.deepEqual([lane?.lane, lane?.run, lane?.state], ['work', 'manual', 'open'], lane?.why_not.join());
    assert.deepEqual([lane?.path, lane?.branch], [path, 'lane/work']);
    assert.deepEqual(contentOf(path), before);
    assert.equal(setups(), setUp, 'no setup ran in it');
    assert.match(world.git('worktree', 'list', '--porcelain'), /locked agentkit manual\/work /);
    assert.deepEqual(
      (await clean()).kept.map(({ lane: each }) => each),
      ['other'],
    );
    const preview = await kit.lanes.previewDiscard('work');
    assert.deepEqual([preview.untracked, preview.why_not], [['draft.txt'], []], '.env is no work');
    const answer = await kit.lanes.discard('work');
    assert.ok(answer.ok, answer.message);
    const back = await kit.lanes.restore(answer.rescue!);
    assert.equal(readFileSync(join(back.path!, 'app.txt'), 'utf8'), 'and changed again\n');
    assert.equal(runGit(back.path!, ['show', ':app.txt']), 'staged\r');
  });

  it('is found by its name, gets another where that is taken, and is adopted once', async () => {
    const { path } = (await clean()).kept.find(({ lane }) => lane === 'other')!;
    await assert.rejects(kit.lanes.adopt(['nowhere']), { reason: 'not_found', message: /there are .*other/ });
    await assert.rejects(kit.lanes.adopt([]), { reason: 'usage' });
    await assert.rejects(kit.lanes.adopt(['work']), { reason: 'not_found' }, 'it is a lane of a run');
    const both = await Promise.allSettled([kit.lanes.adopt(['other']), kit.lanes.adopt([path!])]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await kit.findLane('other')).state, 'open');
    assert.deepEqual((await clean()).kept, []);
  });

  it('is left to a run that is there and cannot be read, until that is moved away', async () => {
    const journal = join(runs, 'manual', 'journal.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, 'nothing that can be read\n');
    kit = await world.kit('editor');
    const { kept } = await clean();
    assert.ok(kept.length > 0 && kept.every(({ adoptable }) => adoptable === undefined));
    assert.match(kept[0]!.reasons.join(' '), /cannot be read: .*move the run away/);
    await assert.rejects(kit.lanes.adopt(['other']), { reason: 'refused', message: /move the run away/ });
    renameSync(join(runs, 'manual'), join(world.root, 'moved away'));
    kit = await world.kit('editor');
    const [lane] = await kit.lanes.adopt(['other']);
    assert.equal(lane?.state, 'open', lane?.why_not.join());
    assert.ok(text.length > 0 && existsSync(lane.path!));
  });

  it('keeps what is in it where it cannot be adopted and is discarded then', async () => {
    const [lane] = await kit.lanes.create(['late']);
    writeFileSync(join(lane!.path!, 'draft.txt'), 'work\n');
    rmSync(runs, { recursive: true });
    mkdirSync(runs);
    kit = await world.kit('editor');
    const admin = join(world.repo, '.git/worktrees/late');
    // Somebody locks it meanwhile: that is told, and it stays theirs.
    writeFileSync(join(admin, 'locked'), 'of a person\n');
    const [late] = await kit.lanes.adopt(['late']);
    assert.equal(late?.state, 'open', late?.why_not.join());
    assert.match(late.warnings.join(), /locked by somebody else with the reason "of a person"/);
    assert.equal(readFileSync(join(admin, 'locked'), 'utf8'), 'of a person\n');
    const refused = await kit.lanes.discard('late');
    assert.equal(refused.ok, false);
    assert.equal(readFileSync(join(late.path!, 'draft.txt'), 'utf8'), 'work\n');
  });

  it('keeps what is in it whoever dies while it is adopted, whether it is adopted then or discarded', async () => {
    for (const lane of ['dies', 'given-up']) {
      const [made] = await kit.lanes.create([lane]);
      writeFileSync(join(made!.path!, 'draft.txt'), 'work\n');
    }
    rmSync(runs, { recursive: true });
    mkdirSync(runs);
    kit = await world.kit('editor');
    adoptAndDie('given-up');
    const stopped = await kit.request('manual', { do: 'stopLane', lane: 'given-up' });
    assert.ok(stopped.ok, stopped.message);
    assert.equal((await kit.findLane('given-up')).state, 'blocked');
    const answer = await kit.lanes.discard('given-up');
    assert.ok(answer.ok && answer.rescue !== null, answer.message);
    const back = await kit.lanes.restore(answer.rescue);
    assert.equal(readFileSync(join(back.path!, 'draft.txt'), 'utf8'), 'work\n');

    adoptAndDie('dies');
    await (
      await kit.resumeRun('manual')
    ).atRest;
    const lane = await kit.findLane('dies');
    assert.equal(lane.state, 'open', lane.why_not.join());
    assert.equal(readFileSync(join(lane.path!, 'draft.txt'), 'utf8'), 'work\n');
  });

  /** Its worktree is marked as the lane's, and no event says so. */
  function adoptAndDie(lane: string): void {
    const { repo, dist, environment: env } = world;
    const die = { event: 'lane.created', when: 'before' };
    const orders = JSON.stringify({ repo, dist, lane, adopts: true, die });
    const script = join(import.meta.dirname, 'mortalCloser.ts');
    const { signal, stderr } = spawnSync(process.execPath, [script, orders], { env, timeout: 60_000 });
    assert.equal(signal, 'SIGKILL', String(stderr));
    assert.match(world.git('worktree', 'list', '--porcelain'), new RegExp(`agentkit manual/${lane} `));
  }
});

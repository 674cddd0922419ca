import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keptFolder } from '../../../src/engine/git/rollBackLane.ts';
import { DemoWorld } from '../conductor/demoWorld.ts';

describe('what was put aside of a lane that could not be completed', function () {
  this.timeout(60_000);
  let world: DemoWorld;

  before(() => {
    world = new DemoWorld(['one']);
  });
  after(() => world.dispose());

  it('is listed by the clean-up, which leaves it alone, until a person has deleted it', async () => {
    const kit = await world.kit();
    await kit.lanes.create(['made']);
    const journal = readFileSync(
      join(world.repo, '.git', 'agentkit', 'runs', 'manual', 'journal.jsonl'),
      'utf8',
    );
    const nonce = /"nonce":"([0-9a-f]+)"/.exec(journal)?.[1] ?? '';
    const folder = keptFolder({ path: (await kit.findLane('made')).path!, nonce });
    assert.deepEqual((await kit.lanes.clean({ merged: false, dryRun: false })).kept, []);
    mkdirSync(folder);
    const { kept } = await kit.lanes.clean({ merged: false, dryRun: false });
    assert.deepEqual(
      kept.map(({ lane, path }) => [lane, path]),
      [['made', folder]],
    );
    assert.match(kept[0]!.reasons.join(), /unfinished folder/);
    // Its lane may be gone by then, and another have its name.
    assert.deepEqual(await kit.lanes.putAside(), [{ lane: 'made', run: 'manual', path: folder }]);
    const answer = await kit.lanes.discard('made');
    assert.ok(answer.ok, answer.message);
    assert.deepEqual(await kit.lanes.putAside(), [{ lane: 'made', run: 'manual', path: folder }]);
    const later = await kit.lanes.clean({ merged: false, dryRun: true });
    assert.deepEqual(
      later.kept.map(({ path }) => path),
      [folder],
    );
    rmSync(join(world.repo, '.git', 'agentkit', 'runs'), { recursive: true });
    const lost = await (await world.kit()).lanes.putAside();
    assert.deepEqual(
      lost.map(({ lane, path }) => [lane, path]),
      [['made', folder]],
    );
    rmSync(folder, { recursive: true });
    assert.deepEqual(await kit.lanes.putAside(), []);
    assert.deepEqual((await kit.lanes.clean({ merged: false, dryRun: false })).kept, []);
  });

  it('is no checkout of somebody whose name looks the same', async () => {
    const kit = await world.kit();
    const [lane] = await kit.lanes.create(['like']);
    const named = (digits: string) => `${lane!.path!}.kept-${digits}`;
    const [own, other, aside] = [named('01234567'), named('89abcdef'), named('00000000')];
    world.git('worktree', 'add', '--quiet', '-b', 'own', own);
    world.git('clone', '--quiet', '.', other);
    // As what was put aside is: its link leads where git knows another folder, or none.
    mkdirSync(aside);
    copyFileSync(join(lane!.path!, '.git'), join(aside, '.git'));
    assert.deepEqual(await kit.lanes.putAside(), [{ lane: 'like', run: 'manual', path: aside }]);
    rmSync(aside, { recursive: true });
    assert.deepEqual((await kit.lanes.clean({ merged: false, dryRun: false })).kept, []);
    assert.ok(existsSync(own) && existsSync(other));
  });
});

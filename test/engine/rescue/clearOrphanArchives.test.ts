import assert from 'node:assert/strict';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clearOrphanArchives } from '../../../src/engine/rescue/clearOrphanArchives.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

describe('archives that a killed rescue has left', () => {
  let repo: RescueFixture;

  before(() => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': 'secret\n' });
  });
  after(() => repo.remove());

  it('are deleted once they are old, and no other: neither what a rescue or a journal names nor a young one', async () => {
    const now = new Date();
    const lane = await repo.make('kept');
    writeFileSync(join(lane.path, 'secret'), 'ignored\n');
    const { archive, ref, commit } = await repo.rescue(lane);
    const named = archive!.file;
    const make = (name: string) => {
      const file = join(dirname(named), name);
      writeFileSync(file, '');
      return file;
    };
    const [orphan, ofJournal, young] = [make('orphan.tar'), make('journal.tar'), make('young.tar')];
    const old = new Date(now.getTime() - 2 * 3600_000);
    for (const file of [named, orphan, ofJournal]) utimesSync(file, old, old);
    const clear = () => clearOrphanArchives(repo, [ofJournal], now);

    // A rescue that this version cannot read may name any of them.
    repo.git(['update-ref', 'refs/agentkit/rescue/newer/1', lane.base]);
    assert.deepEqual(await clear(), []);
    repo.git(['update-ref', '-d', 'refs/agentkit/rescue/newer/1']);

    assert.deepEqual(await clear(), [orphan]);
    for (const file of [named, ofJournal, young]) assert.ok(existsSync(file), file);
    assert.equal(repo.git(['rev-parse', ref]), commit);
    assert.deepEqual(await clear(), []);
  });
});

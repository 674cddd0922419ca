import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sweepTrash } from '../../../src/engine/removal/sweepTrash.ts';
import { moveToTrash } from '../../../src/engine/removal/trash.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { removalRepository, type RemovalRepository } from './removalRepository.ts';

describe('sweepTrash', () => {
  let repo: RemovalRepository;
  beforeEach(() => (repo = removalRepository()));
  afterEach(() => repo.remove());

  const sweep = (limitMs = 60_000) => sweepTrash({ commonDir: repo.commonDir, limitMs });
  const records = () => readdirSync(join(repo.commonDir, 'agentkit', 'trash'));

  async function thrownAway(name: string) {
    const path = join(repo.lanes, name);
    repo.write({ 'deep/file.txt': '12345', 'other.txt': '123' }, path);
    return moveToTrash(repo.commonDir, { run: 'run1', lane: name, nonce: `nonce-of-${name}`, path });
  }

  it('deletes what a removal has left, and is done when there is nothing', async () => {
    assert.deepEqual(await sweep(), { freedBytes: 0, left: [] });
    const { trash } = await thrownAway('old');
    assert.deepEqual(await sweep(), { freedBytes: 8, left: [] });
    assert.equal(existsSync(trash), false);
    assert.deepEqual(records(), []);
  });

  it('stops in time, tells what is left, and goes on the next time', async () => {
    const { trash } = await thrownAway('large');
    assert.deepEqual(await sweep(0), { freedBytes: 0, left: [{ trash, why: 'there was no time left' }] });
    assert.equal(readFileSync(join(trash, 'deep/file.txt'), 'utf8'), '12345');
    assert.deepEqual(await sweep(), { freedBytes: 8, left: [] });
  });

  it('deletes only the very folder that was moved away', async () => {
    const { trash } = await thrownAway('swapped');
    const aside = join(repo.folder, 'aside');
    renameSync(trash, aside);
    mkdirSync(trash);
    writeFileSync(join(trash, 'mine.txt'), 'mine');
    assert.deepEqual(await sweep(), { freedBytes: 0, left: [] });
    assert.equal(readFileSync(join(trash, 'mine.txt'), 'utf8'), 'mine');
    assert.deepEqual(records(), []);
  });

  it('has nothing to delete when a folder could not be moved away, which is told with a cure', async () => {
    // What no system lets anybody move, whoever it is.
    const path = process.platform === 'linux' ? '/proc/sys/kernel' : '/dev';
    const moved = moveToTrash(repo.commonDir, { run: 'run1', lane: 'fixed', nonce: 'fixed', path });
    await rejectsWith(moved, 'not_accessible', `${path} cannot be moved away`, 'writable');
    assert.deepEqual(records(), []);
    const gone = { run: 'run1', lane: 'gone', nonce: 'gone', path: join(repo.lanes, 'gone') };
    await rejectsWith(moveToTrash(repo.commonDir, gone), 'conflict', 'is no folder any more');
  });

  it('goes on with the others when one cannot be deleted, and says why', async () => {
    const damaged = await thrownAway('damaged');
    const { trash } = await thrownAway('whole');
    writeFileSync(damaged.file, '{');
    const { left } = await sweep();
    assert.equal(existsSync(trash), false);
    assert.deepEqual(
      left.map((entry) => entry.trash),
      [damaged.file],
    );
    assert.match(left[0]!.why, /is not valid JSON/);
    assert.equal(existsSync(damaged.trash), true, 'what a damaged record named is left to a person');
    rmSync(damaged.file);
    assert.deepEqual((await sweep()).left, []);
  });
});

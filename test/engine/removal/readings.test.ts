import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { laneReason } from '../../../src/engine/git/marker.ts';
import { parseLsof } from '../../../src/engine/process/pidsInside.ts';
import { cutLinks, emptiedTargets } from '../../../src/engine/removal/cutLinks.ts';
import { parseReason } from '../../../src/engine/removal/laneIdentity.ts';
import { parseMounts } from '../../../src/engine/removal/placeRefusals.ts';

describe('What a removal reads', () => {
  it('the mount points of Linux, with blanks in them', () => {
    const lines = [
      '22 28 0:21 / /proc rw,nosuid - proc proc rw',
      '36 28 254:0 /data /lanes\\040ü/api\\134x rw - ext4 /dev/vda rw',
      '',
    ];
    assert.deepEqual(parseMounts(Buffer.from(lines.join('\n'))), ['/proc', '/lanes ü/api\\x']);
  });

  it('the processes that lsof names: those that stand or write in the folder, not those that read', () => {
    const lines = [
      ...['p10', 'fcwd', 'a ', 'n/lanes/api/src'],
      ...['p11', 'fcwd', 'a ', 'n/lanes/api-2', 'ftxt', 'a ', 'n/usr/bin/node'],
      ...['p12', 'fcwd', 'a ', 'n/', 'f4', 'ar', 'n/lanes/api/read.txt'],
      ...['p13', 'fcwd', 'a ', 'n/', 'f5', 'aw', 'n/lanes/api/written.txt'],
      ...['p14', 'frtd', 'a ', 'n/lanes/api', 'f6', 'au', 'n/elsewhere'],
    ];
    assert.deepEqual([...parseLsof(lines.join('\n'), '/lanes/api')], [10, 13, 14]);
  });

  it('the lane that a lock of ours names, and none in the words of others', () => {
    const lane = { run: 'run1', lane: 'run0/api', nonce: 'abc' };
    assert.deepEqual(parseReason(laneReason(lane)), lane);
    for (const words of ['', 'agentkit', 'agentkit run1 abc', 'on a stick', 'agentkit a/b c d']) {
      assert.equal(parseReason(words), null, words);
    }
  });

  it('whether what links led to was emptied', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentkit-links-'));
    try {
      const target = (name: string) => join(folder, name);
      for (const name of ['lane', 'full', 'empty', 'emptied', 'gone']) mkdirSync(target(name));
      for (const name of ['full', 'emptied']) writeFileSync(join(target(name), 'file'), '');
      for (const name of ['full', 'empty', 'emptied', 'gone', 'never'])
        symlinkSync(target(name), join(target('lane'), name));
      const targets = await cutLinks(target('lane'));
      assert.deepEqual(await emptiedTargets(targets), []);
      rmSync(join(target('emptied'), 'file'));
      rmSync(target('gone'), { recursive: true });
      assert.deepEqual((await emptiedTargets(targets)).sort(), [target('emptied'), target('gone')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

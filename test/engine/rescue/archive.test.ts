import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArchive, writeArchive } from '../../../src/engine/rescue/archive.ts';
import { scanFolder, type Entry } from '../../../src/engine/rescue/scanFolder.ts';
import { blockBytes, parseTarHeader, tarHeader } from '../../../src/engine/rescue/tarFormat.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { snapshot } from './laneSnapshot.ts';

describe('the archive of ignored files', () => {
  let folder: string;
  let source: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'agentkit-tar-'));
    source = join(folder, 'source ü');
    const deep = join(source, 'd'.repeat(60), 'e'.repeat(60));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'file'), 'deep');
    writeFileSync(join(source, 'x'.repeat(99)), '');
    writeFileSync(join(source, 'x'.repeat(100)), 'just fits');
    writeFileSync(join(source, 'x'.repeat(101)), 'x'.repeat(blockBytes));
    writeFileSync(
      Buffer.concat([Buffer.from(`${source}/`), Buffer.from([0xff, 0x0a, 0xfe])]),
      'x'.repeat(513),
    );
    symlinkSync('t'.repeat(300), join(source, 'long target'));
    symlinkSync('short', join(source, 'link'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is one that tar reads, and that reads back with the same bytes', async () => {
    const entries = await scanFolder(source, () => 'keep');
    const file = join(folder, 'a.tar');
    const sha256 = await writeArchive(file, source, entries, new Date(0));
    const out = join(folder, 'out');
    mkdirSync(out);
    execFileSync('tar', ['xpf', file, '-C', out]);
    assert.deepEqual(snapshot(out), snapshot(source));
    const read: Entry[] = [];
    await readArchive(file, sha256, async (entry, content) => {
      read.push(entry);
      const chunks: Buffer[] = [];
      for await (const chunk of content) chunks.push(chunk);
      assert.equal(Buffer.concat(chunks).length, entry.size);
    });
    assert.deepEqual(read, entries);
    const take = async (_entry: Entry, content: AsyncIterable<Buffer>) => {
      for await (const chunk of content) assert.ok(chunk.length > 0);
    };
    await rejectsWith(readArchive(file, 'f'.repeat(64), take), 'invalid_input', file);
    writeFileSync(file, readFileSync(file).subarray(0, 700));
    await rejectsWith(readArchive(file, sha256, take), 'invalid_input', 'damaged');
    await assert.rejects(writeArchive(file, source, entries, new Date(0)), /EEXIST/);
  });

  it('holds sizes beyond eight gibibytes', () => {
    const size = 9 * 1024 ** 3;
    const header = tarHeader({ path: 'huge', kind: 'file', mode: 0o640, size, target: '' }, 1);
    assert.deepEqual(parseTarHeader(header), { flag: '0', name: 'huge', target: '', mode: 0o640, size });
  });
});

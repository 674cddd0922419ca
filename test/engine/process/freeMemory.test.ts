import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { freeMemory } from '../../../src/engine/process/platform/freeMemory.ts';

const MiB = 1024 * 1024;

describe('free memory', () => {
  const roots: string[] = [];
  after(() => roots.forEach((root) => rmSync(root, { recursive: true })));

  /** Free MiB on a machine with these files. */
  function freeOn(files: Record<string, string>): number {
    const root = mkdtempSync(join(tmpdir(), 'agentkit-memory-'));
    roots.push(root);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return freeMemory({ root, otherwise: () => 111 * MiB }) / MiB;
  }

  const meminfo = {
    'proc/meminfo': `MemTotal: 9999999 kB\nMemFree: 1024 kB\nMemAvailable: ${4096 * 1024} kB\n`,
  };
  const v2 = (folder: string, max: string, current: number, inactive = 0) => ({
    [`sys/fs/cgroup${folder}/memory.max`]: `${max}\n`,
    [`sys/fs/cgroup${folder}/memory.current`]: `${current * MiB}\n`,
    [`sys/fs/cgroup${folder}/memory.stat`]: `anon 5\ninactive_file ${inactive * MiB}\nactive_file 7\n`,
  });

  it('is what the kernel counts as available here', () => {
    const free = freeMemory();
    assert.ok(free > 0 && free < totalmem(), `${free}`);
  });

  it('is that of the machine where no group has a limit, and of the system where the kernel does not say', () => {
    assert.equal(freeOn({ ...meminfo, 'proc/self/cgroup': '0::/a\n', ...v2('/a', 'max', 100) }), 4096);
    assert.equal(freeOn({}), 111);
  });

  it('is what the tightest group around leaves, with pages of files that nobody uses', () => {
    const group = { ...meminfo, 'proc/self/cgroup': '0::/a/b\n' };
    assert.equal(freeOn({ ...group, ...v2('/a/b', `${1000 * MiB}`, 300, 100) }), 800);
    const outer = v2('/a', `${500 * MiB}`, 400);
    assert.equal(freeOn({ ...group, ...v2('/a/b', `${1000 * MiB}`, 300), ...outer }), 100);
    assert.equal(freeOn({ ...group, ...v2('/a/b', `${1000 * MiB}`, 1100) }), 0);
    assert.equal(freeOn({ ...group, ...v2('/a/b', `${99_999 * MiB}`, 100) }), 4096);
  });

  it('is that of the container where its path is that of the host', () => {
    const inside = { ...meminfo, 'proc/self/cgroup': '0::/../../docker/1\n', ...v2('', `${700 * MiB}`, 100) };
    assert.equal(freeOn(inside), 600);
  });

  it('heeds the older groups too', () => {
    const folder = 'sys/fs/cgroup/memory/a';
    const older = {
      'proc/self/cgroup': '9:name=systemd:/\n4:memory:/a\n0::/\n',
      [`${folder}/memory.limit_in_bytes`]: `${800 * MiB}\n`,
      [`${folder}/memory.usage_in_bytes`]: `${500 * MiB}\n`,
      [`${folder}/memory.stat`]: `inactive_file 5\ntotal_inactive_file ${200 * MiB}\n`,
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/memory/memory.usage_in_bytes': '1\n',
    };
    assert.equal(freeOn({ ...meminfo, ...older }), 500);
  });
});

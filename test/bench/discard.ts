// Discarding a lane with much untracked data that nothing can shrink: rescue of all of it, proof, removal. One floor is
// a plain copy of the same data and its deletion, which proves nothing; the other what git takes to write it as blobs.
import { randomFillSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { median, timeProcess } from './compare.ts';

const rounds = 3;
const megabytes = Number(process.env.AGENTKIT_BENCH_MEGABYTES ?? 1024);
/** One file in ten is large, as builds, data sets and models are. */
const largest = 32;
const world = new DemoWorld(['one']);
const kit = await world.kit();
const chunk = Buffer.alloc(1024 * 1024);

/** Files of 1 MiB and of 32 MiB, none like another. */
function fill(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let left = megabytes, index = 0; left > 0; index += 1) {
    const size = Math.min(left, index % 10 === 0 ? largest : 1);
    const file = join(folder, `data ${index}.bin`);
    for (let part = 0; part < size; part += 1) writeFileSync(file, randomFillSync(chunk), { flag: 'a' });
    left -= size;
  }
}

/** Milliseconds in which git writes the files of a folder into a store of its own. */
function writeBlobs(folder: string): number {
  const store = join(world.root, 'store');
  timeProcess('git', ['init', '--quiet', '--bare', store]);
  const input = readdirSync(folder).join('\n');
  const args = ['--git-dir', store, 'hash-object', '-w', '--no-filters', '--stdin-paths'];
  const took = timeProcess('git', args, { cwd: folder, input });
  rmSync(store, { recursive: true });
  return took;
}

/** Largest resident memory of this process since the last call, in MiB; the kernel forgets it then (proc(5)). */
function residentPeak(): number {
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  writeFileSync('/proc/self/clear_refs', '5');
  return peak / 1024;
}

try {
  const found: { ours: number; floor: number; blobs: number; before: number; peak: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const data = join(world.root, 'data');
    fill(data);
    const copy = join(world.root, 'copy');
    const blobs = writeBlobs(data);
    const floor = timeProcess('cp', ['-r', data, copy]) + timeProcess('rm', ['-r', data]);
    rmSync(copy, { recursive: true });
    const [lane] = await kit.lanes.create([`big${round}`]);
    if (lane === undefined || lane.path === null) throw new Error(`No lane: ${lane?.why_not.join(' ')}`);
    fill(join(lane.path, 'data'));
    residentPeak();
    const before = process.memoryUsage().rss / 1024 / 1024;
    const begin = performance.now();
    const { ok, message, rescue } = await kit.lanes.discard(lane.lane);
    const ours = performance.now() - begin;
    if (!ok || rescue === null) throw new Error(message);
    found.push({ ours, floor, blobs, before, peak: residentPeak() });
    await kit.lanes.dropRescue(rescue);
    world.git('gc', '--quiet', '--prune=now');
  }
  const of = (value: (each: (typeof found)[number]) => number) => median(found.map(value));
  console.log(
    `discard of ${megabytes} MiB untracked: ${of(({ ours }) => ours / 1000).toFixed(1)} s; cp -r and rm -r of it: ` +
      `${of(({ floor }) => floor / 1000).toFixed(1)} s; ratio ${of(({ ours, floor }) => ours / floor).toFixed(2)}; ` +
      `git hash-object -w of it: ${of(({ blobs }) => blobs / 1000).toFixed(1)} s; ` +
      `ratio ${of(({ ours, blobs }) => ours / blobs).toFixed(2)} (median of ${rounds}); resident at most ${of(({ peak }) => peak).toFixed(0)} MiB, ` +
      `${of(({ before }) => before).toFixed(0)} MiB before`,
  );
} finally {
  await world.dispose();
}

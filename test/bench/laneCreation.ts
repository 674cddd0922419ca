// Making lanes (branch, worktree, marker, lock, checkout, proof that it is clean) against `git worktree add`: one lane,
// and eight at once against git's loop. Checkouts are complete, and nothing is deleted between rounds: on some file
// systems that slows the next creation down many times over.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLane } from '../../src/engine/git/createLane.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { compare, timeProcess } from './compare.ts';

const files = Number(process.env.AGENTKIT_BENCH_FILES ?? 20_000);
const world = new DemoWorld([]);
for (let index = 0; index < files; index += 1) {
  const folder = join(world.repo, 'src', String(index % 200));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${index}.txt`), `file ${index}\n`.repeat(40));
}
world.git('config', 'gc.auto', '0');
world.git('add', '.');
world.git('commit', '--quiet', '-m', `${files} files`);
const base = world.git('rev-parse', 'HEAD');
const root = world.repo;
let count = 0;

function nextPath(): { id: string; path: string } {
  const id = `lane${(count += 1)}`;
  return { id, path: join(world.root, 'lanes', id) };
}

async function lanes(many: number): Promise<number> {
  const requests = Array.from({ length: many }, () => {
    const { id, path } = nextPath();
    const identity = { run: 'bench', lane: id, nonce: id };
    return { root, commonDir: join(root, '.git'), branch: `lane/${id}`, path, base, ...identity };
  });
  const begin = performance.now();
  await Promise.all(requests.map((request) => createLane({ ...request, trusted: true })));
  return performance.now() - begin;
}

function loop(many: number): number {
  let took = 0;
  for (let index = 0; index < many; index += 1) {
    const { id, path } = nextPath();
    took += timeProcess('git', ['worktree', 'add', '--quiet', '-b', id, path, base], { cwd: root });
  }
  return took;
}

try {
  await compare(
    5,
    { name: `one lane of ${files} files`, run: () => lanes(1) },
    { name: 'git worktree add', run: () => loop(1) },
  );
  await compare(
    5,
    { name: `eight lanes at once`, run: () => lanes(8) },
    { name: 'eight times git worktree add', run: () => loop(8) },
  );
} finally {
  await world.dispose();
}

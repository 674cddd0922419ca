// Making one lane (branch, worktree, marker, lock, checkout, proof that it is clean) against `git worktree add`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLane } from '../../src/engine/git/createLane.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { compare, timeProcess } from './compare.ts';

const files = 2000;
const world = new DemoWorld([]);
for (let index = 0; index < files; index += 1) {
  const folder = join(world.repo, 'src', String(index % 50));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${index}.txt`), `file ${index}\n`);
}
world.git('config', 'gc.auto', '0');
world.git('add', '.');
world.git('commit', '--quiet', '-m', `${files} files`);
const base = world.git('rev-parse', 'HEAD');
const root = world.repo;
const commonDir = join(root, '.git');
let count = 0;

// Nothing is deleted between rounds: on some file systems that slows the next creation down many times over.
await compare(
  7,
  {
    name: `one lane of ${files} files`,
    run: async () => {
      const id = `lane${(count += 1)}`;
      const begin = performance.now();
      const path = join(world.root, 'lanes', id);
      await createLane({
        root,
        commonDir,
        branch: `lane/${id}`,
        path,
        base,
        run: 'bench',
        lane: id,
        nonce: id,
        trusted: true,
      });
      return performance.now() - begin;
    },
  },
  {
    name: 'git worktree add',
    run: () => {
      const id = `bare${(count += 1)}`;
      return timeProcess(
        'git',
        ['worktree', 'add', '--quiet', '-b', id, join(world.root, 'lanes', id), base],
        { cwd: root },
      );
    },
  },
);
await world.dispose();

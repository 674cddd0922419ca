// Removing a lane whose work is merged (proof that nothing of it is lost, folder, git's entry, branch) against
// `git worktree remove`, which deletes the folder and proves only that it is clean.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLane } from '../../src/engine/git/createLane.ts';
import { removeLane } from '../../src/engine/removal/removeLane.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { compare, timeProcess } from './compare.ts';

const rounds = 5;
const many = Number(process.env.AGENTKIT_BENCH_FILES ?? 20_000);
let count = 0;

async function measure(files: number): Promise<void> {
  const world = new DemoWorld([]);
  for (let index = 0; index < files; index += 1) {
    const folder = join(world.repo, 'src', String(index % 200));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${index}.txt`), `file ${index}\n`.repeat(40));
  }
  world.git('config', 'gc.auto', '0');
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', `${files} files`);
  const [root, base] = [world.repo, world.git('rev-parse', 'HEAD')];
  const next = () => {
    const id = `lane${(count += 1)}`;
    return { id, path: join(world.root, 'lanes', id) };
  };
  const lane = async (): Promise<number> => {
    const { id, path } = next();
    const commonDir = join(root, '.git');
    const identity = { root, commonDir, branch: `lane/${id}`, path, base, run: 'bench', lane: id, nonce: id };
    await createLane({ ...identity, trusted: true });
    const begin = performance.now();
    const { left, branch } = await removeLane({ ...identity, checkout: root, target: 'main', rescued: null });
    const took = performance.now() - begin;
    // What takes longer than a removal's time is deleted later; what counts is that git and the lane's path are free.
    if (branch !== 'deleted' || left.some((each) => !each.endsWith('which is deleted later')))
      throw new Error(`Left of ${id}: ${branch} ${left.join()}`);
    return took;
  };
  const bare = (): number => {
    const { id, path } = next();
    timeProcess('git', ['worktree', 'add', '--quiet', '-b', id, path, base], { cwd: root });
    return timeProcess('git', ['worktree', 'remove', path], { cwd: root });
  };
  try {
    await compare(
      rounds,
      { name: `removal of a clean, merged lane of ${files} files`, run: lane },
      { name: 'git worktree remove', run: bare },
    );
  } finally {
    await world.dispose();
  }
}

await measure(10);
await measure(many);

import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/** Runs a program to its end; fails loudly when it does. Milliseconds by the wall clock. */
export function timeProcess(
  command: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): number {
  const begin = performance.now();
  const ended = spawnSync(command, args, { encoding: 'utf8', ...options });
  const took = performance.now() - begin;
  if (ended.status !== 0)
    throw new Error(`${command} ${args.join(' ')} exited with ${ended.status}: ${String(ended.stderr)}`);
  return took;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Measures two things in turn, A B A B …, so that a drift of the machine meets both, and prints the ratio. */
export async function compare(
  rounds: number,
  subject: { name: string; run: () => number | Promise<number> },
  floor: { name: string; run: () => number | Promise<number> },
): Promise<void> {
  const taken: { subject: number; floor: number }[] = [];
  await subject.run();
  await floor.run();
  for (let round = 0; round < rounds; round += 1) {
    taken.push({ floor: await floor.run(), subject: await subject.run() });
  }
  const ratio = median(taken.map((each) => each.subject / each.floor));
  const [mine, bare] = [median(taken.map((each) => each.subject)), median(taken.map((each) => each.floor))];
  console.log(
    `${subject.name}: ${mine.toFixed(0)} ms; ${floor.name}: ${bare.toFixed(0)} ms; ratio ${ratio.toFixed(2)} (median of ${rounds})`,
  );
}

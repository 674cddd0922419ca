// Fifty lanes with agents that stream, on whatever machine this is: how late the event loop of the process that owns
// the run and shows it comes, its memory, open files and processes, and what it does once all is at rest. Beside it a
// bare Node waits on the same timer, so that what the machine itself is late by is seen.
// AGENTKIT_SOAK_SECONDS: how long they stream; AGENTKIT_SOAK_LANES: how many.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunView } from '../../src/core/lanes/laneView.ts';
import { DemoWorld } from '../engine/conductor/demoWorld.ts';
import { BareLoop, describeDelay, LoopDelay } from './soak/eventLoop.ts';
import { childrenStarted, processFigures } from './soak/processFigures.ts';
import { streamingDist } from './soak/streamingDist.ts';
import { watchLikeAWindow } from './soak/watchLikeAWindow.ts';

const seconds = Number(process.env.AGENTKIT_SOAK_SECONDS ?? 600);
const count = Number(process.env.AGENTKIT_SOAK_LANES ?? 50);
const restSeconds = Math.min(60, seconds);
const looks = 10;
/** The longest that the start of all lanes may take, in milliseconds. */
const startMs = 600_000;

const names = Array.from({ length: count }, (_, index) => `lane${index + 1}`);
const world = new DemoWorld(names);
const stopFile = join(world.root, 'stop');
streamingDist(world.dist, stopFile);
const kit = await world.kit('editor');
let runs: readonly RunView[] = [];
const window = watchLikeAWindow(kit, (read) => (runs = read));
const bare = await BareLoop.start();
const states = () => runs.flatMap(({ lanes }) => lanes.map(({ state }) => state));

/** Prints what happened to both event loops while something went on. */
async function during(name: string, work: () => Promise<unknown>): Promise<void> {
  const [delay, began, reads] = [new LoopDelay(), performance.now(), window.reads];
  const cpu = process.cpuUsage();
  await bare.reset();
  const children = childrenStarted();
  await work();
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const used = ((user + system) / 1e4 / took).toFixed(1);
  console.log(
    `${name}, ${took.toFixed(0)} s: event loop late by ${describeDelay(delay.read())}; bare node ` +
      `${describeDelay(await bare.read())}; ${used} % of a core, ${window.reads - reads} readings, ` +
      `${childrenStarted() - children} processes started`,
  );
}

try {
  const text = world.plan(names.map((id) => ({ id, steps: [{ say: 'streams' }] })));
  let atRest: Promise<RunView> | undefined;
  await during(`start of ${count} lanes`, async () => {
    ({ atRest } = await kit.startRun({ text }));
    const deadline = performance.now() + startMs;
    while (states().filter((state) => state === 'running').length < count) {
      const over = runs.flatMap(({ lanes }) => lanes).find(({ state }) => /blocked|failed/.test(state));
      if (over !== undefined) throw new Error(`${over.lane} is ${over.state}: ${over.why_not.join(' ')}`);
      if (performance.now() > deadline) throw new Error(`Not all have begun: ${states().join(' ')}`);
      await wait(200);
    }
  });
  await during('streaming', async () => {
    for (let look = 0; look <= looks; look += 1) {
      if (look > 0) await wait((seconds * 1000) / looks);
      console.log(`  after ${Math.round((seconds / looks) * look)} s: ${processFigures(world.root)}`);
    }
  });
  if (states().some((state) => state !== 'running')) throw new Error(`Not all stream: ${states().join(' ')}`);
  await during('end and gates', async () => {
    writeFileSync(stopFile, '');
    await atRest;
    // What the end itself had the window read is over then.
    await wait(3000);
  });
  console.log(`  ended: ${[...new Set(states())].join(', ')}`);
  for (const { lane, state, why_not } of runs.flatMap(({ lanes }) => lanes))
    if (state !== 'ready') console.log(`  ${lane} is ${state}: ${why_not.join(' ')}`);
  await during('at rest', () => wait(restSeconds * 1000));
  console.log(`  at rest: ${processFigures(world.root)}; a window read ${window.reads} times in all`);
} finally {
  writeFileSync(stopFile, '');
  window.close();
  await bare.stop();
  await world.dispose();
}

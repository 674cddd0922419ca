// What a whole run costs over the agents and checks that it runs: three lanes side by side, from start to rest.
import { DemoWorld, writes } from '../engine/conductor/demoWorld.ts';
import { median } from './compare.ts';

const rounds = 3;
const agentSeconds = 2;
const overheads: number[] = [];
const ratios: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const world = new DemoWorld();
  const kit = await world.kit();
  const jobs = ['a', 'b', 'c'].map((id) => ({ id, steps: [{ wait: agentSeconds }, writes(`${id}.txt`)] }));
  const gate = [
    { name: 'check', run: 'sh check.sh' },
    { name: 'again', run: 'sh check.sh' },
  ];
  const begin = performance.now();
  const { atRest } = await kit.startRun({ text: world.plan(jobs, { gate }) });
  const { lanes } = await atRest;
  const whole = (performance.now() - begin) / 1000;
  // The lane that takes longest by what its agent and checks took is the floor: lanes go side by side.
  const floors = lanes.map(({ attempts, gate: { checks } }) => {
    const agents = attempts.reduce(
      (sum, { started_at, ended_at }) => sum + (Date.parse(ended_at ?? '') - Date.parse(started_at)) / 1000,
      0,
    );
    return agents + checks.reduce((sum, { duration_s }) => sum + duration_s, 0);
  });
  overheads.push(whole - Math.max(...floors));
  ratios.push(whole / Math.max(...floors));
  await world.dispose();
}
console.log(
  `run of three lanes over its agents and checks: ratio ${median(ratios).toFixed(2)}, ${median(overheads).toFixed(2)} s more (median of ${rounds})`,
);

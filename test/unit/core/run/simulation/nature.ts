import type { RequestBody } from '../../../../../src/core/run/request.ts';
import type { Dice } from './dice.ts';
import type { Process } from './processes.ts';
import { goesWell } from './scenario.ts';
import type { World } from './world.ts';

/** Moves one supervised process on: a supervisor claims its step, what it runs ends, on request or by itself. */
export function moveProcess(world: World, dice: Dice): void {
  const open = [...world.processes.all.values()].filter(({ spawned, alive }) => spawned > 0 || alive);
  if (open.length === 0) return;
  const step = dice.pick(open);
  if (step.spawned > 0) claim(world, step);
  else if (step.stopFile && dice.chance(0.5)) end(world, step, stopped(step));
  else if (dice.chance(0.25)) end(world, step, outcome(world, step));
  else if (step.account !== undefined && dice.chance(0.2)) step.asked += 1;
}

function claim(world: World, step: Process): void {
  step.spawned -= 1;
  if (step.claimed) return;
  step.claimed = true;
  step.alive = true;
  if (step.stopFile) return end(world, step, stopped(step));
  step.starts += 1;
  step.found = step.subject === 'merge' ? world.mergeTree : (world.tips.get(step.lane) ?? '');
}

function outcome(world: World, step: Process): string {
  if (step.account === undefined) return goesWell(world.scenario, 'check', step.folder) ? 'passed' : 'failed';
  return goesWell(world.scenario, 'attempt', step.folder) ? 'succeeded' : 'failed';
}

function stopped({ account }: Process): string {
  return account === undefined ? 'interrupted' : 'stopped';
}

function end(world: World, step: Process, result: string): void {
  step.alive = false;
  step.result = result;
  if (result === 'passed') {
    const known = world.evidence.get(step.found ?? '') ?? new Set();
    world.evidence.set(step.found ?? '', known.add(step.folder.slice(step.folder.lastIndexOf('/') + 1)));
  }
  if (result === 'succeeded') world.tips.set(step.lane, world.commit(world.tips.get(step.lane) ?? ''));
}

/** What other runs, people at a terminal and bad luck do, at any moment. */
export function disturb(world: World, dice: Dice): void {
  const lane = dice.pick(world.scenario.plan.jobs).id;
  const { account } = dice.pick(world.scenario.accounts);
  switch (dice.below(7)) {
    case 0:
      // A supervisor that was just spawned claims its step within milliseconds: nobody comes in between.
      if (!world.isHeld(account) && !isSpawning(world, account)) world.foreign.add(account);
      break;
    case 1:
      world.foreign.delete(account);
      break;
    case 2:
      if (world.mergeLock === 'free') world.mergeLock = 'foreign';
      if (world.mergeLock === 'foreign') world.mergeTree = world.commit(world.target);
      break;
    case 3:
      if (world.mergeLock === 'foreign') world.mergeLock = 'free';
      break;
    case 4:
      if (dice.chance(0.3)) world.target = world.commit(world.target);
      break;
    case 5:
      if (dice.chance(0.15) && world.tips.has(lane))
        world.tips.set(lane, world.commit(world.tips.get(lane) ?? ''));
      break;
    default:
      for (const step of world.processes.all.values()) if (dice.chance(0.2)) step.alive = false;
  }
}

function isSpawning({ processes }: World, account: string): boolean {
  return [...processes.all.values()].some((step) => step.account === account && step.spawned > 0);
}

/** Leaves the rest of the run to itself. */
export function calmDown(world: World): void {
  world.foreign.clear();
  if (world.mergeLock === 'foreign') world.mergeLock = 'free';
}

export function ask(world: World, body: RequestBody): void {
  world.requests.push({ ...body, id: `q${world.requests.length + 1}` });
}

/** Something that a person may ask for at any moment, sensible or not. */
export function askAnything(world: World, dice: Dice): void {
  const lane = dice.chance(0.03) ? 'ghost' : dice.pick(world.scenario.plan.jobs).id;
  if (dice.chance(0.02)) ask(world, { do: 'stopRun' });
  else ask(world, { do: dice.pick(['merge', 'merge', 'merge', 'gate', 'retry', 'retry', 'stopLane']), lane });
}

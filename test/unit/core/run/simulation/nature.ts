import type { RequestBody } from '../../../../../src/core/run/request.ts';
import type { Dice } from './dice.ts';
import type { Process } from './processes.ts';
import { job } from '../samples.ts';
import { place } from './act.ts';
import { attemptFate, goesWell, laneIds } from './scenario.ts';
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
  else if (step.account !== undefined && dice.chance(0.3)) workOn(world, step);
}

function claim(world: World, step: Process): void {
  step.spawned -= 1;
  if (step.claimed) return;
  step.claimed = true;
  step.alive = true;
  if (step.stopFile) return end(world, step, stopped(step));
  step.starts += 1;
  step.found = step.subject === 'merge' ? world.mergeTree : (world.tip(step.lane) ?? '');
}

/** One piece more of the work that an agent is bound to do; false when all is done. */
function workOn(world: World, step: Process): boolean {
  const { commits, dirty } = attemptFate(world.scenario, step.folder);
  const path = world.pathOf(step.lane);
  if (step.done >= commits + dirty || path === undefined) return false;
  world.git.write(path, `${step.folder} ${step.done}`);
  if (step.done < commits) world.git.commitAll(path);
  step.done += 1;
  return true;
}

function outcome(world: World, step: Process): string {
  if (step.subject === 'setup')
    return goesWell(world.scenario, 'setup', step.folder) ? 'succeeded' : 'failed';
  if (step.account === undefined) return goesWell(world.scenario, 'check', step.folder) ? 'passed' : 'failed';
  while (workOn(world, step));
  return attemptFate(world.scenario, step.folder).result;
}

function stopped({ account, subject }: Process): string {
  return account === undefined && subject !== 'setup' ? 'interrupted' : 'stopped';
}

function end(world: World, step: Process, result: string): void {
  step.alive = false;
  step.result = result;
  if (result !== 'passed') return;
  const known = world.evidence.get(step.found ?? '') ?? new Set();
  world.evidence.set(step.found ?? '', known.add(step.folder.slice(step.folder.lastIndexOf('/') + 1)));
}

/** What other runs, people at a terminal and bad luck do, at any moment. */
export function disturb(world: World, dice: Dice): void {
  const lane = dice.pick(laneIds(world.scenario));
  const path = world.pathOf(lane);
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
      if (world.mergeLock === 'foreign') world.mergeTree = world.git.commit([world.target]);
      break;
    case 3:
      if (world.mergeLock === 'foreign') world.mergeLock = 'free';
      break;
    case 4:
      if (dice.chance(0.3)) world.target = world.git.commit([world.target]);
      break;
    case 5:
      // Somebody works in a lane by hand, at whatever time.
      if (path === undefined || !dice.chance(world.scenario.standing ? 0.6 : 0.15)) break;
      world.git.write(path, `by hand ${world.name()}`);
      if (dice.chance(0.5)) world.git.commitAll(path);
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
  world.now = '2026-03-03T12:00:00.000Z';
  world.calmSince = world.requests.length;
  // Windows are reset in time.
  for (const [index, each] of world.accounts.entries())
    if (each.resets_at !== null) world.accounts[index] = { ...each, qualifies: true, resets_at: null };
  if (world.mergeLock === 'foreign') world.mergeLock = 'free';
}

export function ask(world: World, body: RequestBody): void {
  world.requests.push({ ...body, id: `q${world.requests.length + 1}` });
}

/** Something that a person may ask for at any moment, sensible or not. */
export function askAnything(world: World, dice: Dice): void {
  const { scenario } = world;
  const lane = dice.chance(0.03) ? 'ghost' : dice.pick(laneIds(scenario));
  if (dice.chance(0.02)) return ask(world, { do: 'stopRun' });
  if (dice.chance(0.1)) return ask(world, { do: dice.pick(['discard', 'remove']), lane });
  if (dice.chance(0.1)) return ask(world, tellOf(world, lane));
  if (dice.chance(scenario.standing ? 0.5 : 0.02)) return ask(world, addLaneOf(world, lane));
  ask(world, { do: dice.pick(['merge', 'merge', 'merge', 'gate', 'retry', 'retry', 'stopLane']), lane });
}

/** To the session of the lane's newest attempt, where it had one. */
function tellOf(world: World, lane: string): RequestBody {
  const ended = world.journal.findLast((event) => event.type === 'attempt.ended' && event.lane === lane);
  const started = world.journal.findLast((event) => event.type === 'attempt.started' && event.lane === lane);
  const session = ended?.type === 'attempt.ended' ? (ended.session_id ?? '') : '';
  const account = started?.type === 'attempt.started' ? started.account : '';
  return { do: 'tell', lane, session, account, text: world.scenario.text };
}

export function addLaneOf(world: World, lane: string): RequestBody {
  const { plan, text } = world.scenario;
  const { gate, worktree } = plan;
  const own = { gate, ...(worktree && { worktree }) };
  const made = job(lane, { prompt: text });
  return { do: 'addLane', lane, job: made, own, worktree: place(world, lane, true) };
}

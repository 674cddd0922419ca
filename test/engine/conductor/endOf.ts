import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaneView, RunView } from '../../../src/core/lanes/laneView.ts';
import { listLeases } from '../../../src/engine/accounts/leases.ts';
import { readJournal } from '../../../src/engine/store/journal.ts';
import type { DemoWorld } from './demoWorld.ts';

/** Where all stands in the end, without what differs between two runs of the same: times, ids, ports. */
export async function endOf(world: DemoWorld): Promise<unknown> {
  const kit = await world.kit('editor');
  const { runs, unreadable } = await kit.listRuns();
  return {
    unreadable,
    runs: await Promise.all(runs.map((run) => endOfRun(world, run))),
    refs: world
      .git('for-each-ref', '--format=%(refname) %(tree)', 'refs/heads', 'refs/remotes', 'refs/tags')
      .split('\n'),
    stash: world.git('stash', 'list'),
    worktrees: world
      .git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => /^(branch|locked|prunable|detached)/.test(line))
      .map((line) => line.replace(/^(locked agentkit) .*/, '$1')),
    main: world.git('status', '--porcelain'),
    commits: world.git('log', '--format=%s', 'main').split('\n'),
    leases: (await listLeases(world)).map(({ account }) => account),
    ports: portsIn(world),
    counted: countIn(join(world.root, 'counted')),
    told: toldIn(join(world.root, 'profiles', 'demo')),
  };
}

async function endOfRun(world: DemoWorld, run: RunView): Promise<unknown> {
  const { events } = await readJournal(join(run.folder, 'journal.jsonl'));
  const answered = events.flatMap((event) => (event.type === 'request.answered' ? [event.request] : []));
  const fences = events.flatMap((event) => (event.type === 'owner' ? [event.fence] : []));
  return {
    name: run.name,
    status: run.status,
    lanes: run.lanes.map((lane) => endOfLane(world, lane)),
    answered_twice: answered.filter((id, index) => answered.indexOf(id) !== index),
    open_requests: readdirSync(join(run.folder, 'requests')).filter((name) => name.endsWith('.json')).length,
    fences_in_order: fences.every((fence, index) => fence === index + 1),
  };
}

function endOfLane(world: DemoWorld, lane: LaneView): unknown {
  return {
    lane: lane.lane,
    state: lane.state,
    attempts: lane.attempts.map(({ outcome, account }) => `${outcome} ${account}`),
    gate: lane.gate.status,
    merge_gate: lane.merge_gate.status,
    closing: lane.closing,
    rescues: lane.rescues.map(({ why, files, not_kept }) => ({ why, files, not_kept })),
    files: lane.path === null ? null : filesIn(world, lane.path),
    status: lane.path === null ? null : world.git('-C', lane.path, 'status', '--porcelain'),
    removed: lane.removed === null ? null : lane.removed.left,
    folder: lane.path === null ? null : existsSync(lane.path),
    ports: Object.keys(lane.ports),
  };
}

/** The files of a lane, each with the id of its bytes. */
function filesIn(world: DemoWorld, path: string): string[] {
  const names = world.git('-C', path, 'ls-files', '-z', '--cached', '--others').split('\0').filter(Boolean);
  const ids = world.git('-C', path, 'hash-object', '--no-filters', '--', ...names).split('\n');
  return names.map((name, index) => `${name} ${ids[index]}`);
}

/**
 * What each rescue holds: the lane's files byte for byte, their modes, its index, and the trees of the commits that it
 * keeps. Left out is what says when and where it was made: the manifest, reflogs and the times in the index file.
 */
export async function rescuesOf(world: DemoWorld): Promise<string[]> {
  const kit = await world.kit('editor');
  const rescues = await kit.lanes.rescues();
  return rescues.map(({ lane, why, files, commit }) => {
    const content = world.git('ls-tree', '-r', commit, 'worktree', 'modes', 'index', 'objects');
    const commits = world.git('rev-parse', `${commit}^@`).split('\n');
    const trees = commits.map((parent) => world.git('rev-parse', `${parent}^{tree}`)).sort();
    return [`${lane} ${why} ${files}`, content, ...trees].join('\n');
  });
}

/** Owners of the ports of this machine. */
function portsIn(world: DemoWorld): string[] {
  const file = join(world.root, 'state', 'agentkit', 'ports.json');
  if (!existsSync(file)) return [];
  const { ports } = JSON.parse(readFileSync(file, 'utf8')) as { ports: { name: string }[] };
  return ports.map(({ name }) => name);
}

/** How often each command of the repository ran. */
function countIn(file: string): Record<string, number> {
  const words = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const counted: Record<string, number> = {};
  for (const word of words.sort()) counted[word] = (counted[word] ?? 0) + 1;
  return counted;
}

/** How often the agents were told something, by account. */
function toldIn(profiles: string): Record<string, number> {
  const accounts = existsSync(profiles) ? readdirSync(profiles).sort() : [];
  return Object.fromEntries(
    accounts.map((account) => {
      const folder = join(profiles, account, 'sessions');
      const files = existsSync(folder) ? readdirSync(folder) : [];
      const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
      return [account, text.split('"type":"told"').length - 1];
    }),
  );
}

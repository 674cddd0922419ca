import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLane } from '../../../src/engine/git/createLane.ts';
import type { RemovalRequest } from '../../../src/engine/removal/inspectRemoval.ts';
import { tempRepository, type TempRepository } from '../git/tempRepository.ts';

type Rescued = { ref: string; commit: string; tip: string | null } | null;
export type LaneToRemove = RemovalRequest & { rescued: Rescued };

export interface RemovalRepository extends TempRepository {
  /** Makes a lane and says how to remove it, without a rescue. */
  made(id: string, more?: Partial<LaneToRemove>): Promise<LaneToRemove>;
  /** A rescue of the lane as it is, made at a time. Its tree holds nothing: only its parents count here. */
  rescue(lane: LaneToRemove, when?: Date): NonNullable<Rescued>;
  /** Everything that a lane has left, on disk and in git; empty when it is gone without a trace. */
  traces(lane: LaneToRemove): string[];
}

export function removalRepository(): RemovalRepository {
  const repo = tempRepository();
  const { root, commonDir } = repo;
  const git = (args: string[], cwd?: string) => repo.git(args, cwd);
  const made = async (id: string, more: Partial<LaneToRemove> = {}): Promise<LaneToRemove> => {
    const lane = repo.lane(id, more.path === undefined ? {} : { path: more.path });
    await createLane(lane);
    const { branch, path, base, run, nonce } = lane;
    const place = { root, commonDir, checkout: root, path, branch };
    return { ...place, base, run, lane: id, nonce, target: 'main', rescued: null, ...more };
  };
  const rescue = (lane: LaneToRemove, when = new Date()) => {
    const tip = git(['rev-parse', lane.branch]);
    const heads = [tip, ...(existsSync(lane.path) ? [git(['rev-parse', 'HEAD'], lane.path)] : [])];
    const parents = [...new Set(heads)].flatMap((head) => ['-p', head]);
    const date = `@${Math.floor(when.getTime() / 1000)} +0000`;
    process.env.GIT_COMMITTER_DATE = date;
    const commit = git(['commit-tree', `${tip}^{tree}`, ...parents, '-m', 'Rescue']);
    delete process.env.GIT_COMMITTER_DATE;
    const ref = `refs/agentkit/rescue/${lane.lane}/1`;
    git(['update-ref', ref, commit]);
    return { ref, commit, tip };
  };
  const traces = (lane: LaneToRemove) => {
    const names = existsSync(repo.lanes) ? readdirSync(repo.lanes) : [];
    const trash = join(commonDir, 'agentkit', 'trash');
    return [
      ...(existsSync(lane.path) ? [lane.path] : []),
      ...names.filter((name) => name.startsWith('.trash-')),
      ...(existsSync(trash) ? readdirSync(trash) : []),
      ...git(['worktree', 'list', '--porcelain', '-z'])
        .split('\0')
        .filter((field) => field === `worktree ${lane.path}`),
      ...git(['for-each-ref', '--format=%(refname)', `refs/heads/${lane.branch}`])
        .split('\n')
        .filter(Boolean),
    ];
  };
  return { ...repo, made, rescue, traces };
}

/** A process that works in a folder until it is ended; holds the file `OPEN` open, as `OPEN_AS` says. */
export async function workerIn(cwd: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  const program = `
    const { OPEN, OPEN_AS } = process.env;
    if (OPEN) require('node:fs').openSync(OPEN, OPEN_AS);
    process.stdout.write('on');
    setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['-e', program], { cwd, env: { ...process.env, ...env } });
  await once(child.stdout, 'data');
  return child;
}

export async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

import { git } from '../git/plumbing.ts';
import { readIfThere } from './ifThere.ts';
import { typesOf } from './importBlobs.ts';
import type { LaneFolder } from './laneFolder.ts';

/** Commits that reflogs name and that no branch, tag, remote or the lane's HEAD holds. @param logs the reflogs' files */
export async function reflogOnly(lane: LaneFolder, logs: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  for (const file of logs) {
    const text = (await readIfThere(file))?.toString('latin1') ?? '';
    for (const line of text.split('\n')) for (const oid of line.split(' ', 2)) names.add(oid);
  }
  const types = await typesOf(
    lane.root,
    [...names].filter((oid) => /^[0-9a-f]{40,64}$/.test(oid)),
  );
  const commits = [...types].filter(([, type]) => type === 'commit').map(([oid]) => oid);
  if (commits.length === 0) return [];
  const held = ['--branches', '--remotes', '--tags'];
  const head = await git(lane.admin, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    env: lane.env,
    okCodes: [0, 1],
  });
  const input = [...commits, ...(head.code === 0 ? [`^${head.stdout.toString('latin1').trim()}`] : []), ''];
  const { stdout } = await git(lane.root, ['rev-list', '--stdin', '--not', ...held], {
    input: input.join('\n'),
  });
  return stdout
    .toString('latin1')
    .split('\n')
    .filter((oid) => oid !== '');
}

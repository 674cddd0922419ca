import { git, gitText } from './plumbing.ts';
import { splitNulText } from './splitNul.ts';

/** What a lane's commits change against its base. */
export interface LaneChanges {
  files: number;
  /** Lines; binary files count none. */
  insertions: number;
  deletions: number;
  commits: number;
  /** Every path it touched; of a rename, both. */
  paths: string[];
}

interface Range {
  path: string;
  base: string;
  head: string;
}

/**
 * The commit that a lane's own changes are told from: where it last took the target in, else where it began. A head
 * that the target has already is told from where it began too, or nothing of it would be left to see.
 */
export async function changesBase({ path, base, head, target }: Range & { target: string }): Promise<string> {
  const found = await git(path, ['merge-base', `refs/heads/${target}`, head], { okCodes: [0, 1, 128] });
  const common = found.stdout.toString('utf8').trim();
  if (found.code !== 0 || common === head) return base;
  const isLater = await git(path, ['merge-base', '--is-ancestor', base, common], { okCodes: [0, 1] });
  return isLater.code === 0 ? common : base;
}

export async function laneChanges({ path, base, head }: Range): Promise<LaneChanges> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--numstat',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    base,
    head,
    '--',
  ];
  const files = parseNumstat(splitNulText((await git(path, args)).stdout));
  return {
    files: files.length,
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    commits: Number(await gitText(path, ['rev-list', '--count', `${base}..${head}`, '--'])),
    paths: files.map((file) => file.path),
  };
}

/** Parses the fields of `--numstat -z --no-renames`: insertions, deletions (`-` for binary) and path, by tabs. */
export function parseNumstat(
  fields: readonly string[],
): { path: string; insertions: number; deletions: number }[] {
  return fields.map((field) => {
    const [, insertions, deletions, path = ''] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(field) ?? [];
    return { path, insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 };
  });
}

/** The commits of a range, newest first. */
export async function laneCommits({ path, base, head }: Range): Promise<{ sha: string; subject: string }[]> {
  const args = ['log', '-z', '--encoding=UTF-8', '--format=%H %s', `${base}..${head}`, '--'];
  return splitNulText((await git(path, args)).stdout).map((line) => {
    const space = line.indexOf(' ');
    return { sha: line.slice(0, space), subject: line.slice(space + 1) };
  });
}

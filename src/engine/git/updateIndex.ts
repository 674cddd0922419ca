import { git, type GitOptions } from './plumbing.ts';

/** Runs `git update-index` with flags on these raw paths. */
export async function updateIndex(
  path: string,
  flags: readonly string[],
  raw: readonly Buffer[],
  options: GitOptions = {},
): Promise<void> {
  if (raw.length === 0) return;
  const input = Buffer.concat(raw.flatMap((name) => [name, Buffer.of(0)]));
  await git(path, ['update-index', ...flags, '-z', '--stdin'], { ...options, input });
}

import { git, gitText } from './plumbing.ts';

/** Larger files hold no secret that a person wrote, and would fill the memory. */
const readBytes = 16 * 1024 * 1024;

/**
 * Calls back with every file that the commits of a range bring in, also one that a later commit takes away again: a
 * merge would bring it into the target's history. Each content is read once, under one of its paths.
 */
export async function findBlobs(
  { path, base, head }: { path: string; base: string; head: string },
  onBlob: (path: string, bytes: Buffer) => void,
): Promise<void> {
  const named = new Map<string, string>();
  for (const line of (await gitText(path, ['rev-list', '--objects', head, `^${base}`, '--'])).split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0 && space < line.length - 1) named.set(line.slice(0, space), line.slice(space + 1));
  }
  if (named.size === 0) return;
  const input = `${[...named.keys()].join('\n')}\n`;
  const sizes = await gitText(path, ['cat-file', '--batch-check=%(objecttype) %(objectsize) %(objectname)'], {
    input,
  });
  for (const line of sizes.split('\n')) {
    const [type, size, oid = ''] = line.split(' ');
    if (type !== 'blob' || Number(size) > readBytes) continue;
    onBlob(named.get(oid) ?? oid, (await git(path, ['cat-file', 'blob', oid])).stdout);
  }
}

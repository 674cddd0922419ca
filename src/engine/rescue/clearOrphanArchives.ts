import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gitText } from '../git/plumbing.ts';
import { listRescues } from './listRescues.ts';
import { archiveFile } from './manifest.ts';
import { rescuePrefix } from './rescueRef.ts';

/** An archive younger than this, in milliseconds, may belong to a rescue that is being made. */
const youngMs = 3600_000;

/**
 * Deletes archives that a killed rescue has left and no rescue names. Where any rescue cannot be read, nothing is: it may
 * name one of them.
 * @param known archives that journals tell of, whatever has become of their rescue's ref
 * @returns the files that were deleted
 */
export async function clearOrphanArchives(
  { root, commonDir }: { root: string; commonDir: string },
  known: readonly string[],
  now: Date,
): Promise<string[]> {
  const folder = join(archiveFile(commonDir, 'any.tar'), '..');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.tar'));
  if (names.length === 0) return [];
  const refs = await gitText(root, ['for-each-ref', '--format=%(refname)', rescuePrefix]);
  const rescues = await listRescues(root);
  if (rescues.length !== refs.split('\n').filter((ref) => ref !== '').length) return [];
  const named = new Set(known.map((file) => basename(file)));
  for (const { archive } of rescues) if (archive !== null) named.add(basename(archive.file));
  const cleared: string[] = [];
  for (const name of names.filter((each) => !named.has(each))) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found === null || now.getTime() - found.mtimeMs < youngMs) continue;
    await rm(file, { force: true });
    cleared.push(file);
  }
  return cleared;
}

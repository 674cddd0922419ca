import type { StatusEntry } from './parseStatus.ts';
import { hiddenPaths, unhide } from './readStatus.ts';
import { updateIndex } from './updateIndex.ts';

/** Puts the worktree's state of exactly these paths into its index. */
export async function stagePaths(path: string, entries: readonly StatusEntry[]): Promise<void> {
  // Entries that git was told not to look at would be staged unchanged.
  const concerned = new Set(entries.map(({ raw }) => raw.toString('latin1')));
  const hidden = await hiddenPaths(path);
  await unhide(
    path,
    hidden.filter((raw) => concerned.has(raw.toString('latin1'))),
  );
  const isGone = (entry: StatusEntry) =>
    entry.worktree === 'D' || (entry.index === 'D' && entry.worktree === ' ');
  const rawOf = (kept: readonly StatusEntry[]) => kept.map(({ raw }) => raw);
  // Removals first: a file may have become a folder, or the other way round.
  await updateIndex(path, ['--force-remove'], rawOf(entries.filter(isGone)));
  await updateIndex(path, ['--add', '--replace'], rawOf(entries.filter((entry) => !isGone(entry))));
}

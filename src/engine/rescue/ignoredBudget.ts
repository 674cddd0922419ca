import type { Entry } from './scanFolder.ts';
import { toText } from './byteNames.ts';

/** What of a lane's ignored files goes into the archive. */
export interface IgnoredChoice {
  archived: Entry[];
  bytes: number;
  files: number;
  notKept: { path: string; reason: string }[];
}

/**
 * Keeps as many ignored files as fit, the smallest first: settings and notes are small, what can be made again is
 * large. What does not fit is named by the path that git ignores.
 * @param limit bytes
 */
export function chooseIgnored(
  ignored: readonly { entry: Entry; root: string }[],
  limit: number,
): IgnoredChoice {
  const bySize = ignored
    .filter(({ entry }) => entry.kind === 'file')
    .sort((a, b) => a.entry.size - b.entry.size);
  let bytes = 0;
  let files = 0;
  const over = new Map<string, { files: number; bytes: number }>();
  const dropped = new Set<Entry>();
  for (const { entry, root } of bySize) {
    if (bytes + entry.size <= limit) {
      bytes += entry.size;
      files += 1;
      continue;
    }
    dropped.add(entry);
    const sum = over.get(root) ?? { files: 0, bytes: 0 };
    over.set(root, { files: sum.files + 1, bytes: sum.bytes + entry.size });
  }
  const archived = ignored.map(({ entry }) => entry).filter((entry) => !dropped.has(entry));
  const notKept = [...over].map(([root, sum]) => ({
    path: toText(root),
    reason: `ignored by git and over the limit of ${limit} bytes: ${sum.files} ${sum.files === 1 ? 'file' : 'files'} of ${sum.bytes} bytes`,
  }));
  return { archived, bytes, files, notKept };
}

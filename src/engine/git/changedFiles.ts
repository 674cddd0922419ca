import type { ChangedFile } from '../agentKitTypes.ts';
import { git } from './plumbing.ts';
import { splitNulText } from './splitNul.ts';

/** The files in which two commits or trees differ, with renames found. */
export async function changedFiles(range: {
  root: string;
  base: string;
  head: string;
}): Promise<ChangedFile[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '-M',
    '--name-status',
    '--no-ext-diff',
    range.base,
    range.head,
    '--',
  ];
  return parseNameStatus(splitNulText((await git(range.root, args)).stdout));
}

/** Parses the fields of `--name-status -z`: status and path, for a rename status, old and new path. */
export function parseNameStatus(fields: readonly string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let i = 0; i < fields.length;) {
    const letter = fields[i++]?.[0];
    const path = fields[i++] ?? '';
    if (letter === 'R') files.push({ path: fields[i++] ?? '', status: 'renamed', from: path });
    else files.push({ path, status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified' });
  }
  return files;
}

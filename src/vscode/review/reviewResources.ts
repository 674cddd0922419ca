import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri } from 'vscode';
import type { AgentKit, ChangedFile } from '../../engine/agentKitTypes.ts';
import { revisionUri } from '../platform/revisionUri.ts';

/** What `vscode.changes` takes for one file: its label, and both sides; a side that does not exist is left out. */
export type ReviewResource = [label: Uri, left: Uri | undefined, right: Uri | undefined];

export interface ReviewedCommits {
  base: string;
  head: string;
  worktree: string;
}

/** The sides of each changed file: the base's bytes, and the worktree's file where it is what the head holds. */
export async function reviewResources(
  kit: Pick<AgentKit, 'readBlob'>,
  files: readonly ChangedFile[],
  { base, head, worktree }: ReviewedCommits,
): Promise<ReviewResource[]> {
  return Promise.all(
    files.map(async ({ path, from = path, status }): Promise<ReviewResource> => {
      const onDisk = join(worktree, path);
      const left = status === 'added' ? undefined : revisionUri(worktree, { commit: base, path: from });
      if (status === 'deleted') return [Uri.file(onDisk), left, undefined];
      const clean = await holdsSame(onDisk, () => kit.readBlob(head, path));
      return [
        Uri.file(onDisk),
        left,
        clean ? Uri.file(onDisk) : revisionUri(worktree, { commit: head, path }),
      ];
    }),
  );
}

async function holdsSame(file: string, blob: () => Promise<Uint8Array>): Promise<boolean> {
  const onDisk = await readFile(file).catch(() => undefined);
  return onDisk !== undefined && onDisk.equals(await blob());
}

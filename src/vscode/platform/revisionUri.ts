import { join } from 'node:path';
import { Uri } from 'vscode';
import { revisionScheme } from '../../ids.ts';

/** A file at a commit. A null commit stands for a side on which the file does not exist: it reads as empty. */
export interface Revision {
  commit: string | null;
  /** Relative to the repository, with `/`. */
  path: string;
}

/**
 * Its address. The path is that of the file in the worktree, for a diff calls two sides of different paths renamed;
 * the revision stands in the query.
 */
export function revisionUri(worktree: string, { commit, path }: Revision): Uri {
  const query = new URLSearchParams({ path, ...(commit !== null && { commit }) });
  return Uri.file(join(worktree, path)).with({ scheme: revisionScheme, query: query.toString() });
}

/** Undefined for an address that names no revision. */
export function revisionOf(uri: Uri): Revision | undefined {
  const query = new URLSearchParams(uri.query);
  const path = query.get('path');
  return path === null ? undefined : { commit: query.get('commit'), path };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the recorded tools ran. */
export const worktree = "/lanes/größe's lane";

/** What a tool really printed; only the folder above the worktree was renamed. */
export function recorded(name: string): string {
  return readFileSync(path.join(import.meta.dirname, 'recorded', name), 'utf8');
}

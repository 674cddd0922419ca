import { join } from 'node:path';

/** Where a lane of this id stands: its branch, and its worktree among the others of the repository. */
export function lanePlace(laneRoot: string, id: string): { branch: string; path: string } {
  return { branch: `lane/${id}`, path: join(laneRoot, id.replaceAll('/', '~')) };
}

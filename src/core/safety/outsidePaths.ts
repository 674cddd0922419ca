import { compileGlobs } from '../plan/globs.ts';

/** Changed paths that none of a job's globs allows; a job without `paths` is not checked. */
export function outsidePaths(changed: string[], paths: string[]): string[] {
  if (paths.length === 0) return [];
  const allowed = compileGlobs(paths);
  return changed.filter((path) => !allowed(path));
}

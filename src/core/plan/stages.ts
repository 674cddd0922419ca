import type { Dependent } from './dependencies.ts';

/**
 * Job ids by depth of dependency, each stage in the plan's order: the first waits for nothing, the next only
 * for earlier ones. Unknown ids are passed over; jobs on or behind a cycle, which no plan has, are left out.
 */
export function stages(jobs: Dependent[]): string[][] {
  const ids = new Set(jobs.map(({ id }) => id));
  const found: string[][] = [];
  const placed = new Set<string>();
  for (;;) {
    const ready = jobs.filter(
      ({ id, depends_on }) =>
        !placed.has(id) && depends_on.every((other) => placed.has(other) || !ids.has(other)),
    );
    if (ready.length === 0) return found;
    found.push(ready.map(({ id }) => id));
    for (const { id } of ready) placed.add(id);
  }
}

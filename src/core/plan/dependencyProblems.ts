import type { Dependent } from './dependencies.ts';
import type { PlanProblem } from './plan.ts';
import type { PlanSource } from './planSource.ts';

/** Dependencies on jobs that are not there, and cycles, each at the entry of `depends_on` that makes it. */
export function dependencyProblems(jobs: Dependent[], source: PlanSource): PlanProblem[] {
  const indexes = new Map(jobs.map(({ id }, index) => [id, index] as const).toReversed());
  const unknown = jobs.flatMap(({ depends_on }, index) =>
    depends_on.flatMap((id, entry) =>
      indexes.has(id)
        ? []
        : [
            source.problemAt(
              ['jobs', index, 'depends_on', entry],
              `depends_on names "${id}", which is no job of this plan`,
            ),
          ],
    ),
  );
  const cycles = findCycles(jobs).map((cycle) => {
    const index = indexes.get(cycle[0] ?? '') ?? 0;
    const entry = jobs[index]?.depends_on.indexOf(cycle[1] ?? '') ?? 0;
    return source.problemAt(
      ['jobs', index, 'depends_on', entry],
      `jobs wait for one another: ${cycle.join(' -> ')}`,
    );
  });
  return [...unknown, ...cycles];
}

/** Ids round each cycle that a walk along the dependencies closes, the first repeated at the end. */
function findCycles(jobs: Dependent[]): string[][] {
  // Of jobs with one id, which are refused elsewhere, the first counts.
  const direct = new Map(jobs.map(({ id, depends_on }) => [id, depends_on] as const).toReversed());
  const done = new Set<string>();
  const cycles: string[][] = [];
  for (const { id: root } of jobs) {
    if (done.has(root)) continue;
    const trail = [{ id: root, next: 0 }];
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const id = direct.get(top.id)?.[top.next++];
      if (id === undefined) {
        done.add(top.id);
        trail.pop();
        continue;
      }
      const back = trail.findIndex((step) => step.id === id);
      if (back >= 0) cycles.push([...trail.slice(back).map((step) => step.id), id]);
      else if (!done.has(id)) trail.push({ id, next: 0 });
    }
  }
  return cycles;
}

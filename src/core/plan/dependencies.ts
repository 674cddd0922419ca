/** The part of a job that orders it among others. */
export interface Dependent {
  id: string;
  depends_on: string[];
}

/** Ids of everything that each job waits for, directly or not. Unknown ids are passed over; cycles end. */
export function dependenciesOf(jobs: Dependent[]): Map<string, Set<string>> {
  const direct = new Map(jobs.map(({ id, depends_on }) => [id, depends_on]));
  const all = new Map<string, Set<string>>();
  for (const { id } of jobs) {
    const found = new Set<string>();
    const open = [...(direct.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next) || !direct.has(next)) continue;
      found.add(next);
      open.push(...(direct.get(next) ?? []));
    }
    all.set(id, found);
  }
  return all;
}

const tails = new Map<string, Promise<unknown>>();

/** Runs tasks of the same key one after another, in the order of the calls; a failing task stops no other. */
export function oneAtATime<T>(key: string, task: () => Promise<T>): Promise<T> {
  const result = (tails.get(key) ?? Promise.resolve()).then(task);
  const tail = result.then(
    () => undefined,
    () => undefined,
  );
  tails.set(key, tail);
  void tail.then(() => tails.get(key) === tail && tails.delete(key));
  return result;
}

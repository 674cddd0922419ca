let last: Promise<void> = Promise.resolve();

/**
 * Waits until this process may start its next child: one a turn of the event loop.
 *
 * A start blocks the loop for milliseconds, as the whole process is forked; many lanes that go on at once would have
 * dozens of starts follow each other, and the editor would stand still for seconds.
 */
export function spawnTurn(): Promise<void> {
  const mine = last;
  last = mine.then(() => new Promise((resolve) => setImmediate(resolve)));
  return mine;
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many events of a journal take a few milliseconds. */
const slice = 500;

/** Does something with each of many things in order, and lets the event loop turn after every few hundred. */
export async function inSlices<T>(
  things: readonly T[],
  work: (thing: T, index: number) => void,
): Promise<void> {
  for (const [index, thing] of things.entries()) {
    if (index % slice === slice - 1) await nextTurn();
    work(thing, index);
  }
}

import { availableParallelism } from 'node:os';

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Lets as many checkouts run side by side as there are processors. More would only fight for the disk, and so do
 * git's own checkout workers: measured, two of them cost half as much processor time again for the same files.
 */
export async function withCheckoutSlot<T>(task: () => Promise<T>): Promise<T> {
  if (running >= availableParallelism()) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await task();
  } finally {
    // A slot is handed over, so that nobody can take it in between.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

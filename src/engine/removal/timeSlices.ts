import { setImmediate as others } from 'node:timers/promises';

/** Longest time in milliseconds for which work on many small files keeps everything else waiting. */
const sliceMs = 5;

/**
 * Lets others in between steps that are quicker done at once than handed to another thread. Returns what to call after
 * each step; its promise, when there is one, is to be awaited.
 */
export function timeSlices(): () => Promise<unknown> | undefined {
  let end = performance.now() + sliceMs;
  return () => {
    if (performance.now() < end) return undefined;
    return others().then(() => (end = performance.now() + sliceMs));
  };
}

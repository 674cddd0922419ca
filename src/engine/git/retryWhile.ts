import { setTimeout as wait } from 'node:timers/promises';

/** Pauses between attempts in milliseconds, about six seconds in all. */
const pauses = [20, 40, 80, 160, 320, 640, 1200, 1600, 2000];

/** Repeats a call a bounded number of times while its result says that trying again makes sense. */
export async function retryWhile<T>(call: () => Promise<T>, again: (result: T) => boolean): Promise<T> {
  let result = await call();
  for (const pause of pauses) {
    if (!again(result)) break;
    await wait(pause);
    result = await call();
  }
  return result;
}

/** Whether git failed only because somebody holds one of its lock files (index, config, a ref). */
export function isLockHeld(stderr: string): boolean {
  return /\.lock': File exists/.test(stderr) || /could not lock config file .*: File exists/.test(stderr);
}

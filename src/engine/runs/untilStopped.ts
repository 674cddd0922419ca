import { setTimeout as pause } from 'node:timers/promises';
import { isBeingStopped } from '../../core/run/isBeingStopped.ts';
import type { RequestBody } from '../../core/run/request.ts';
import type { RunReader } from './runReader.ts';

/** How often it is looked at, in milliseconds. */
const look = 100;

/** Whoever came to stop something stays until that has stopped, for nobody else would see its end. */
export async function untilStopped(
  reader: RunReader,
  folder: string,
  body: RequestBody,
  atRest: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let isOver = false;
  const end = () => (isOver = true);
  void atRest.then(end, end);
  while (!isOver && signal?.aborted !== true && isBeingStopped(await reader.state(folder), body))
    await pause(look);
}

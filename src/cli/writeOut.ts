import { writeSync } from 'node:fs';

/**
 * Writes to standard output at once. Loading `process.stdout` takes a tenth of the start of Node, so it is only asked
 * where the other side does not take everything now. A reader that has gone is no failure of ours.
 */
export function writeOut(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw Object.assign(error as Error, { path: 'standard output' });
      process.stdout.write(rest);
      return;
    }
  }
}

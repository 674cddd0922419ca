import { writeSync } from 'node:fs';

let queue: Promise<void> | undefined;

/**
 * Writes to standard output, at once as far as the other side takes it. Loading `process.stdout` takes a tenth of the
 * start of Node, so it is only asked for the rest. A reader that has gone is no failure of ours.
 */
export function writeOut(text: string): void {
  const rest = queue === undefined ? writeNow(Buffer.from(text)) : Buffer.from(text);
  if (rest.length === 0) return;
  const before = queue ?? Promise.resolve();
  const passedOn = new Promise<void>((resolve) => {
    // A reader that goes away is told here and to the stream, which must not end this process.
    process.stdout.once('error', () => resolve()).write(rest, () => resolve());
  });
  queue = before.then(() => passedOn);
}

/** Resolves once all is written, or the reader has gone: whoever ends the process before cuts an answer off. */
export async function written(): Promise<void> {
  await queue;
}

/** What the other side does not take now. */
function writeNow(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return Buffer.alloc(0);
      if (code !== 'EAGAIN') throw Object.assign(error as Error, { path: 'standard output' });
      return rest;
    }
  }
  return rest;
}

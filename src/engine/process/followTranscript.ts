import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { stepFiles } from '../store/paths.ts';
import type { TranscriptLine } from './launch.ts';
import { LineSplitter } from './lineSplitter.ts';
import { readStep } from './steps.ts';

/** How often to look when nothing tells us of changes. */
const lookMs = 1_000;
const maxLine = 1024 * 1024;

/**
 * Gives every line of a step's transcript from its start, live, and waits for a step that is not there yet.
 * Resolves when the step has ended (or lost its supervisor) and all lines were given, or with the signal.
 */
export async function followTranscript(
  folder: string,
  onLine: (line: TranscriptLine) => void,
  signal: AbortSignal,
): Promise<void> {
  const file = stepFiles(folder).transcript;
  const lines = new LineSplitter(maxLine);
  let offset = 0;
  while (!signal.aborted) {
    const changed = nextChange(folder, signal);
    const { state } = await readStep(folder);
    offset += await readFrom(file, offset, (chunk) => {
      for (const line of lines.push(chunk)) {
        give(line, onLine);
      }
    });
    if (state === 'ended' || state === 'lost') {
      changed.cancel();
      return;
    }
    await changed.seen;
  }
}

/** Reads what a file holds beyond an offset; returns how many bytes. A missing file holds nothing. */
async function readFrom(file: string, offset: number, take: (chunk: Uint8Array) => void): Promise<number> {
  const handle = await open(file, 'r').catch(() => null);
  if (!handle) {
    return 0;
  }
  try {
    const buffer = Buffer.alloc(64 * 1024);
    let total = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset + total);
      if (bytesRead === 0) {
        return total;
      }
      take(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** A line that is not one of ours (a torn write of a lost supervisor) is left out. */
function give(text: string, onLine: (line: TranscriptLine) => void): void {
  let line: TranscriptLine;
  try {
    line = JSON.parse(text) as TranscriptLine;
  } catch {
    return;
  }
  onLine(line);
}

/** Something in the folder has changed, or might have: the system may not tell, or the folder not exist yet. */
function nextChange(folder: string, signal: AbortSignal): { seen: Promise<void>; cancel: () => void } {
  let cancel = () => {};
  const seen = new Promise<void>((resolve) => {
    let watcher: ReturnType<typeof watch> | undefined;
    const done = () => {
      clearTimeout(timer);
      watcher?.close();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, lookMs);
    signal.addEventListener('abort', done);
    cancel = done;
    try {
      watcher = watch(folder, done).on('error', () => watcher?.close());
    } catch {
      // The timer looks again.
    }
  });
  return { seen, cancel };
}

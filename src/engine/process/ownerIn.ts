import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { processIdentitySchema, type ProcessIdentity } from '../../core/run/processIdentity.ts';

const ownerSchema = z.object({ owner: processIdentitySchema });
const word = '"type":"owner"';

/**
 * Who wrote a run's journal last, by its newest `owner` event; null when there is none. Only that line is read as JSON:
 * a journal may be long, and one that a newer version wrote tells its owner all the same.
 */
export async function ownerIn(journal: string): Promise<ProcessIdentity | null> {
  const bytes = await readFile(journal).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  for (let at = bytes.lastIndexOf(word); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(word, at - 1)) {
    const start = bytes.lastIndexOf('\n', at) + 1;
    const end = bytes.indexOf('\n', at);
    const owner = ownerOf(bytes.toString('utf8', start, end < 0 ? bytes.length : end));
    if (owner !== null) return owner;
  }
  return null;
}

/** Null for a torn line, and for one that only speaks of such an event. */
function ownerOf(line: string): ProcessIdentity | null {
  try {
    const event = z.safeParse(ownerSchema, JSON.parse(line));
    return event.success ? event.data.owner : null;
  } catch {
    return null;
  }
}

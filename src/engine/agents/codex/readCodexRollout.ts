import { open, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentSignal, Profile } from '../agentKind.ts';
import { isThreadId } from './codexArguments.ts';
import { parseCodexRollout } from './codexRollout.ts';

/** The end of a turn is what we look for; a thread's file may be long. */
const tailBytes = 2 * 1024 * 1024;

/**
 * What the file of a thread tells about how its last turn failed: the stream has neither a code nor the time of a
 * reset. Nothing when there is no such file or it cannot be read.
 */
export async function readCodexRollout(
  profile: Profile,
  session: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<AgentSignal[]> {
  if (session === undefined || !isThreadId(session)) {
    return [];
  }
  const home = profile.folder ?? join(environment['HOME'] ?? homedir(), '.codex');
  try {
    const file = await findBelow(join(home, 'sessions'), 3, `-${session.toLowerCase()}.jsonl`);
    return file === null ? [] : parseCodexRollout(await readTail(file));
  } catch {
    return [];
  }
}

/** Threads lie in year, month and day; a resumed one stays where it began. The latest folders are looked at first. */
async function findBelow(folder: string, depth: number, ending: string): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (depth === 0) {
    const found = entries.find((entry) => entry.isFile() && entry.name.endsWith(ending));
    return found ? join(folder, found.name) : null;
  }
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort().reverse()) {
    const found = await findBelow(join(folder, name), depth - 1, ending);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

async function readTail(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

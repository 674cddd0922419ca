import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { loadSqlite } from './loadSqlite.ts';
import { oneAtATime } from './oneAtATime.ts';

/** A lock that this process holds until it releases it or dies. */
export interface HeldLock {
  release(): void;
}

/** `SQLITE_BUSY`: another connection holds the lock. */
const busy = 5;

/**
 * Takes the lock kept in `file`, or returns null when anybody (also in this process) holds it.
 *
 * The kernel holds it: the death of the holder, however sudden, frees it at once; a stopped or sleeping holder
 * keeps it. The file must never be opened by other means: closing any descriptor of it would drop the lock.
 * @throws AgentKitError `not_installed` without node:sqlite, `internal` when the file cannot be used
 */
export function tryHold(file: string): HeldLock | null {
  const { DatabaseSync: Database } = loadSqlite();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  let database: DatabaseSync | undefined;
  try {
    database = new Database(file, { timeout: 0 });
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === busy) {
      return null;
    }
    throw new AgentKitError('internal', `The lock file ${file} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const held = database;
  return { release: () => (held.isOpen ? held.close() : undefined) };
}

/**
 * Runs `work` while holding the lock, which is released whatever happens. Within this process they come one after
 * another in the order of the calls: many that try for a lock at once would keep each other from it.
 * @param limit how long at most to wait for other processes
 * @throws AgentKitError `timeout`
 */
export function withLock<T>(
  file: string,
  work: () => T | Promise<T>,
  limit: { timeoutMs: number },
): Promise<T> {
  return oneAtATime(file, () => whileHeld(file, work, limit));
}

async function whileHeld<T>(
  file: string,
  work: () => T | Promise<T>,
  limit: { timeoutMs: number },
): Promise<T> {
  const deadline = performance.now() + limit.timeoutMs;
  let lock = tryHold(file);
  while (!lock) {
    if (performance.now() >= deadline) {
      throw new AgentKitError(
        'timeout',
        `Another process has held the lock ${file} for ${limit.timeoutMs / 1000} s`,
      );
    }
    await wait(20);
    lock = tryHold(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

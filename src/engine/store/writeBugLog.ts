import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userFolders } from './userFolders.ts';

/**
 * Keeps what a bug tells of itself, in a file for its owner alone below the state folder. Returns the file; undefined
 * where none can be written.
 */
export function writeBugLog(
  error: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    const folder = join(userFolders(environment).state, 'logs');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().replaceAll(':', '-');
    const file = join(folder, `ak-${time}-${randomBytes(3).toString('hex')}.log`);
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' });
    return file;
  } catch {
    return undefined;
  }
}

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The absolute path of a program, looked up on PATH as a shell would, without one; null when it is not there. A name
 * that is an absolute path is only checked. Entries of PATH that are not absolute are passed over: they would let the
 * folder that an agent works in decide what is started.
 */
export function findExecutable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  if (name.includes('/')) {
    return isAbsolute(name) && isExecutable(name) ? name : null;
  }
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    // Most places have nothing of the name, and an error for each takes long.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { fstatSync, readlinkSync } from 'node:fs';

/** The files that stdout and stderr are redirected into, as far as the system tells their names. */
export function outputFiles(): string[] {
  const files = [1, 2].flatMap((descriptor) => {
    try {
      return fstatSync(descriptor).isFile() ? readlinkSync(`/proc/self/fd/${descriptor}`) : [];
    } catch {
      // Closed, or a system on which a descriptor has no name.
      return [];
    }
  });
  return [...new Set(files)];
}

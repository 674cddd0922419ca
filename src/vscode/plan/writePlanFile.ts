import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri } from 'vscode';

/** Writes a new file into `plans/`; a name that is taken gets a number, so nothing is overwritten. */
export async function writePlanFile(root: string, name: string, text: string): Promise<Uri> {
  const folder = join(root, 'plans');
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${name}.yaml` : `${name}-${number}.yaml`);
    try {
      await writeFile(path, text, { flag: 'wx' });
      return Uri.file(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { journalFile, runsFolder } from '../store/runFolder.ts';

/** The folder of a run, by its id, its folder, or the report folder that points to it. @throws `not_found` */
export async function findRun(commonDir: string, run: string): Promise<string> {
  const candidates = [
    ...(/^[\w.-]+$/.test(run) ? [join(runsFolder(commonDir), run)] : []),
    resolve(run),
    ...(await reportTarget(commonDir, run)),
  ];
  for (const folder of candidates) if (await isFile(journalFile(folder))) return folder;
  throw new AgentKitError(
    'not_found',
    `There is no run "${run}" in this repository; ak lane ls lists the runs.`,
  );
}

async function reportTarget(commonDir: string, folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'run.json'), 'utf8').catch(() => undefined);
  const id = text === undefined ? null : /"run":\s*"([\w.-]+)"/.exec(text)?.[1];
  return id === null || id === undefined ? [] : [join(runsFolder(commonDir), id)];
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { AgentKitError } from '../../core/agentKitError.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { readJsonIfThere } from '../store/atomicFile.ts';
import { readJournal } from '../store/journal.ts';
import { journalFile, runsFolder } from '../store/runFolder.ts';

/**
 * The folder of a run of this repository, by its id, its folder, or the report folder that points to it.
 * @throws AgentKitError `not_found`, or `refused` for a run of another repository
 */
export async function findRun(commonDir: string, run: string): Promise<string> {
  const runs = runsFolder(commonDir);
  const byId = join(runs, run);
  if (/^[\w-][\w.-]*$/.test(run) && (await isRun(byId))) return byId;
  const given = resolve(run);
  const folder = (await isRun(given)) ? given : await reportTarget(runs, given);
  if (folder === undefined) {
    throw new AgentKitError(
      'not_found',
      `There is no run "${run}" in this repository; ak lane ls lists the runs.`,
    );
  }
  const real = await realPathOf(folder);
  if (dirname(real) !== (await realPathOf(runs))) {
    throw new AgentKitError(
      'refused',
      `${run} is a run of another repository; go to that one first: ${await repositoryOf(folder)}`,
    );
  }
  return join(runs, basename(real));
}

const pointerSchema = z.object({ run: z.string().regex(/^[\w-][\w.-]*$/), folder: z.string() });

/** The run that a report folder points to, if it is there; by its id when the repository was moved since. */
async function reportTarget(runs: string, report: string): Promise<string | undefined> {
  const pointer = await readJsonIfThere(join(report, 'run.json'), pointerSchema).catch(() => null);
  if (pointer === null) return undefined;
  for (const folder of [pointer.folder, join(runs, pointer.run)]) if (await isRun(folder)) return folder;
  return undefined;
}

/** The checkout that a run says it was made in, else where it lies. */
async function repositoryOf(folder: string): Promise<string> {
  const read = await readJournal(journalFile(folder)).catch(() => undefined);
  const [first] = read?.events ?? [];
  return first?.type === 'run.created' ? first.repo : folder;
}

async function isRun(folder: string): Promise<boolean> {
  return stat(journalFile(folder)).then(
    (found) => found.isFile(),
    () => false,
  );
}

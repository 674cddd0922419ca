import { readFile } from 'node:fs/promises';
import { AgentKitError } from '../../core/agentKitError.ts';
import { listLeases } from '../accounts/leases.ts';
import { quoteForShell } from '../agents/quoteForShell.ts';
import { stateFiles } from '../store/paths.ts';
import { userFolders } from '../store/userFolders.ts';
import { type DoctorFinding, note, problem } from './finding.ts';

/** Whether it can be known which accounts are in use, and what is left of those that were. */
export async function examineLeases(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DoctorFinding[]> {
  const file = stateFiles(userFolders(environment).state).leases;
  try {
    const lapsed = (await written(file)) - (await listLeases({ environment })).length;
    if (lapsed <= 0) return [];
    return [
      note('leases', `Leases of agents that have ended: ${lapsed}; the next one that is taken drops them`),
    ];
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return [problem('leases', error.message, `rm ${quoteForShell(file)}`)];
  }
}

/** How many the file has, in whatever state they are. */
async function written(file: string): Promise<number> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { leases: unknown[] }).leases.length;
  } catch {
    // What is wrong with it is told by whoever reads what it says.
    return 0;
  }
}

import { AgentKitError, messageOf } from '../../core/agentKitError.ts';
import { openRepository } from '../git/openRepository.ts';
import { repositoryHealth } from '../git/repositoryHealth.ts';
import { listRunFolders, readRun } from '../store/runFolder.ts';
import { type DoctorFinding, problem } from './finding.ts';

/** The repository of a folder, and what is wrong with it; none where the folder lies in none. */
export async function examineRepository(
  folder: string,
): Promise<{ root: string | null; findings: DoctorFinding[] }> {
  try {
    const repository = await openRepository(folder);
    const wrong = await repositoryHealth(repository);
    const unreadable = await unreadableRuns(repository.commonDir);
    return {
      root: repository.root,
      findings: [...wrong, ...unreadable].map((message) => problem('repository', message)),
    };
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    if (error.reason === 'not_found' || error.reason === 'not_installed') return { root: null, findings: [] };
    return { root: null, findings: [problem('repository', error.message)] };
  }
}

async function unreadableRuns(commonDir: string): Promise<string[]> {
  const folders = await listRunFolders(commonDir);
  const found = await Promise.all(
    folders.map((folder) =>
      readRun(folder).then(
        () => [],
        (error: unknown) => [`A run cannot be read. ${messageOf(error)}`],
      ),
    ),
  );
  return found.flat();
}

import { AgentKitError } from '../../core/agentKitError.ts';
import { openRepository } from '../git/openRepository.ts';
import { repositoryHealth } from '../git/repositoryHealth.ts';
import { type DoctorFinding, problem } from './finding.ts';

/** The repository of a folder, and what is wrong with it; none where the folder lies in none. */
export async function examineRepository(
  folder: string,
): Promise<{ root: string | null; findings: DoctorFinding[] }> {
  try {
    const repository = await openRepository(folder);
    const wrong = await repositoryHealth(repository);
    return { root: repository.root, findings: wrong.map((message) => problem('repository', message)) };
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    if (error.reason === 'not_found' || error.reason === 'not_installed') return { root: null, findings: [] };
    return { root: null, findings: [problem('repository', error.message)] };
  }
}

import { AgentKitError } from '../../core/agentKitError.ts';
import type { Repository } from '../git/openRepository.ts';
import { repositoryTrust } from '../person/repositoryTrust.ts';

/** Why the commands that `agentkit.yaml` names at a commit may not run; empty when the person has allowed them. */
export async function unallowedCommands(
  repository: Repository,
  commit: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  try {
    const { status, difference, mayRun } = await repositoryTrust(repository, commit, environment);
    if (mayRun) return [];
    const what =
      status === 'untrusted'
        ? 'You have not allowed the commands of agentkit.yaml yet'
        : `The commands of agentkit.yaml have changed since you allowed them (${difference.join(' | ')})`;
    return [`${what}; look at them and allow them: ak trust add`];
  } catch (error) {
    if (error instanceof AgentKitError) return [error.message];
    throw error;
  }
}

import { l10n, workspace } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Services } from '../platform/services.ts';
import { repositoryProblem } from './repositoryProblem.ts';

/**
 * The top folder of the repository that plans are run on, with the plainest reason when there is none.
 * @throws AgentKitError `refused` before trust, `not_found` without a folder, a repository or a commit
 */
export async function requireRepository(services: Services): Promise<string> {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length > 0) services.requireTrust();
  const problem = await repositoryProblem(
    folders.map(({ uri }) => uri.fsPath),
    l10n.t,
  );
  if (problem !== undefined) throw new AgentKitError('not_found', problem);
  return (await services.kit()).repository.root;
}

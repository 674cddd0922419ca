import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentKitError } from '../../../core/agentKitError.ts';
import { gitText } from '../../git/plumbing.ts';
import { changeJsonObject, objectAt } from '../changeJsonObject.ts';
import type { Profile } from '../agentKind.ts';

/**
 * Writes down that a folder is trusted as the dialog of Claude Code does: for this folder, given by its real path, in
 * this profile, and for nothing else.
 * @throws AgentKitError `refused` for a linked worktree, which Claude Code only trusts together with its whole
 *   repository: more than was asked for; when the file is damaged or in use
 */
export async function trustClaudeFolder(
  profile: Profile,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const repository = await repositoryOfWorktree(folder);
  if (repository !== undefined) {
    const message = `Claude Code trusts the worktree ${folder} only together with its repository; where you trust all of it, say so for ${repository}`;
    throw new AgentKitError('refused', message);
  }
  const file = join(profile.folder ?? environment['HOME'] ?? homedir(), '.claude.json');
  return changeJsonObject(file, (content) => {
    const projects = objectAt(content, 'projects', file);
    const project = objectAt(projects, folder, file);
    if (project['hasTrustDialogAccepted'] === true) return undefined;
    const trusted = { ...project, hasTrustDialogAccepted: true };
    return { ...content, projects: { ...projects, [folder]: trusted } };
  });
}

/** The repository whose linked worktree a folder lies in; undefined for every other folder. */
async function repositoryOfWorktree(folder: string): Promise<string | undefined> {
  const ask = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir'];
  const told = await gitText(folder, ask, { discover: true }).catch(() => '');
  const [own, common] = told.split('\n');
  return common === undefined || common === own ? undefined : dirname(common);
}

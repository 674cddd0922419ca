import { AgentKitError } from '../../core/agentKitError.ts';
import { git } from './plumbing.ts';

/** Commits carry the user's own name; we never make one up, nor let git guess it from the host. @throws `refused` */
export async function requireIdentity(path: string): Promise<void> {
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const { code } = await git(path, ['-c', 'user.useConfigOnly=true', 'var', who], { okCodes: [0, 128] });
    if (code === 0) continue;
    throw new AgentKitError(
      'refused',
      `Git does not know who commits in ${path}; set it: git config --global user.name "Your Name" and git config --global user.email you@example.com`,
    );
  }
}

import type { Profile } from '../agentKind.ts';
import { askCli } from '../../process/askCli.ts';
import { loginSettings } from './codexArguments.ts';

/**
 * Has Codex run nothing in its own sandbox, which on Linux needs user namespaces. Where it cannot, an agent's commands
 * all fail, and it ends as if all was well. Undefined when the sandbox works. @throws when Codex cannot be started
 */
export async function sandboxProblem(
  command: string,
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  env: Record<string, string>,
): Promise<string | undefined> {
  const settings = ['-c', 'sandbox_mode="workspace-write"', ...loginSettings(profile)];
  const { exit, error } = await askCli({
    argv: [command, 'sandbox', ...settings, '--', 'true'],
    inherited,
    env,
  });
  // Anything else that goes wrong here says nothing about a run.
  if (exit === 0 || !error.startsWith('bwrap: ')) return undefined;
  return `Codex cannot make its sandbox, for which it needs user namespaces (${error.slice(0, 200)}); allow them: on this machine with what ak doctor names, in a container by its settings`;
}

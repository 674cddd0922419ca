import { readFileSync } from 'node:fs';
import type { Profile } from '../agentKind.ts';
import { askCli } from '../../process/askCli.ts';
import { loginSettings } from './codexArguments.ts';

/** What keeps programs from making user namespaces, and the command that lets them. */
const switches: readonly [file: string, value: string, cure: string][] = [
  ['/proc/sys/user/max_user_namespaces', '0', 'sudo sysctl user.max_user_namespaces=15000'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'sudo sysctl kernel.unprivileged_userns_clone=1'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  ],
];

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
  const cure = switches.find(([file, value]) => readSwitch(file) === value)?.[2];
  const how =
    cure === undefined
      ? 'allow user namespaces here (in a container, by its settings)'
      : `allow them with: ${cure}`;
  return `Codex cannot make its sandbox, for which it needs user namespaces (${error.slice(0, 200)}); ${how}`;
}

function readSwitch(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

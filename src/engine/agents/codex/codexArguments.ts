import { AgentKitError } from '../../../core/agentKitError.ts';
import type { LaunchOptions, Profile } from '../agentKind.ts';

/** Without these two, a run waits five seconds for hosts that it cannot reach. */
export const quietSettings: readonly string[] = [
  '-c',
  'analytics.enabled=false',
  '-c',
  'features.plugins=false',
];

/** A profile's login is the file in its folder, also where Codex would take the keyring. */
export function loginSettings(profile: Profile): readonly string[] {
  return profile.folder === null ? [] : ['-c', 'cli_auth_credentials_store="file"'];
}

/**
 * Arguments of a headless run; the prompt comes by standard input. `auto` is confined to its folder: it writes there
 * and in the temporary folders, without a network, so it needs nobody's approval. Git's own folder lies outside
 * (hence a plan's `commit: kit`). `codex exec` asks nobody, ever: what would have to be asked is refused, and so
 * `ask` may read only.
 * @throws AgentKitError `invalid_input` for a session that is none
 */
export function codexArguments(options: LaunchOptions, profile: Profile): string[] {
  return [
    'exec',
    '--json',
    ...quietSettings,
    ...loginSettings(profile),
    '-s',
    options.posture === 'auto' ? 'workspace-write' : 'read-only',
    // Codex also refuses a folder outside git, whatever its profile says of it.
    ...(options.trustCwd ? ['--skip-git-repo-check'] : []),
    ...(options.model === undefined ? [] : [`--model=${options.model}`]),
    // Options of `exec` stand before: `resume` itself knows no sandbox.
    ...(options.resume === undefined ? [] : ['resume', requireThread(options.resume)]),
    '-',
  ];
}

/** What is no id would be read as an option, or as the name of another thread. */
export function requireThread(id: string): string {
  if (!isThreadId(id)) {
    throw new AgentKitError('invalid_input', `"${id}" is not the id of a Codex session`);
  }
  return id;
}

export function isThreadId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

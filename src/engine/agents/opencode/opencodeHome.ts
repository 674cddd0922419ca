import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../agentKind.ts';

/**
 * Variables that select a profile. OpenCode has none of its own for its login, so what else keeps to the XDG folders
 * (git's own settings there, say) looks for them in the profile, too, where its agent runs it.
 */
export function opencodeHome(profile: Profile): Record<string, string> {
  const { folder } = profile;
  return folder === null
    ? {}
    : {
        XDG_DATA_HOME: join(folder, 'data'),
        XDG_CONFIG_HOME: join(folder, 'config'),
        XDG_STATE_HOME: join(folder, 'state'),
        XDG_CACHE_HOME: join(folder, 'cache'),
      };
}

/** The file with the logins of a profile. */
export function opencodeLogins(
  profile: Profile,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { HOME, XDG_DATA_HOME } = environment;
  const data = opencodeHome(profile)['XDG_DATA_HOME'] ?? (XDG_DATA_HOME || undefined);
  return join(data ?? join(HOME ?? homedir(), '.local', 'share'), 'opencode', 'auth.json');
}

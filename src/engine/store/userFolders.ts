import { isAbsolute, join } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';

/** Where AgentKit keeps what belongs to the person and not to a repository. */
export interface UserFolders {
  /** Usage cache, leases and their locks. */
  state: string;
  /** Settings of `ak`. */
  config: string;
  /** Logins, as `<kind>/<name>` below it. */
  profiles: string;
}

/**
 * Finds the folders from the environment (design chapter 3); creates nothing. Relative values are ignored.
 * @throws AgentKitError `usage` when HOME is needed and not set
 */
export function userFolders(environment: Readonly<Record<string, string | undefined>>): UserFolders {
  const absolute = (name: string) => {
    const value = environment[name];
    return value && isAbsolute(value) ? value : undefined;
  };
  const home = (...below: string[]) => {
    const folder = absolute('HOME');
    if (!folder) {
      throw new AgentKitError(
        'usage',
        'HOME is not set to an absolute path; AgentKit keeps accounts and state below it',
      );
    }
    return join(folder, ...below);
  };
  return {
    state: join(absolute('XDG_STATE_HOME') ?? home('.local', 'state'), 'agentkit'),
    config: home('.config', 'agentkit'),
    profiles: absolute('AGENTKIT_PROFILES_DIR') ?? home('.local', 'share', 'agentkit', 'profiles'),
  };
}

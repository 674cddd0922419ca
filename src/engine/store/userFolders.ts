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
 * Finds the folders from the environment (design chapter 3); creates nothing. A relative XDG_STATE_HOME is ignored,
 * as its specification says.
 * @throws AgentKitError `usage` when HOME is needed and not set, or AGENTKIT_PROFILES_DIR is relative
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
  const { AGENTKIT_PROFILES_DIR: named } = environment;
  if (named && !isAbsolute(named)) {
    throw new AgentKitError(
      'usage',
      `AGENTKIT_PROFILES_DIR is "${named}"; set it to an absolute path, so that it means the same folder everywhere`,
    );
  }
  return {
    state: join(absolute('XDG_STATE_HOME') ?? home('.local', 'state'), 'agentkit'),
    config: home('.config', 'agentkit'),
    profiles: absolute('AGENTKIT_PROFILES_DIR') ?? home('.local', 'share', 'agentkit', 'profiles'),
  };
}

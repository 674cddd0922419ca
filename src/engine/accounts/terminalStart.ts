import { formatAccount } from '../../core/accounts/account.ts';
import type { Profile, Start } from '../agents/agentKind.ts';
import { withheldNames } from '../process/childEnvironment.ts';

/** How to start a vendor's own program under an account, in a terminal that inherits an environment. */
export interface TerminalStart extends Start {
  /** Names of inherited variables that the program must not get: they would override the account. */
  withheld: string[];
}

/** Adds what everything that runs under an account gets: its mark, and nothing of another account's. */
export function terminalStart(
  start: Start,
  profile: Profile,
  environment: Readonly<Record<string, string | undefined>>,
  deny: readonly string[] = [],
): TerminalStart {
  const account = formatAccount({ kind: profile.kind, profile: profile.name });
  const env = { ...start.env, AGENTKIT_ACTIVE_ACCOUNT: account };
  return {
    argv: start.argv,
    env,
    withheld: withheldNames(environment, { deny }).filter((name) => !(name in env)),
  };
}

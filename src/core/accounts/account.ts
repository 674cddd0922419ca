import { AgentKitError } from '../agentKitError.ts';

/** An account is a kind and one of its profiles, written `claude/@work2`. */
export interface AccountName {
  kind: string;
  /** With its `@`. */
  profile: string;
}

const profilePattern = /^@(?!\.)[A-Za-z0-9._-]{1,32}$/;

/** Reads `kind/@profile`. @throws AgentKitError `invalid_input` */
export function parseAccount(text: string): AccountName {
  const slash = text.indexOf('/');
  const kind = text.slice(0, slash);
  const profile = text.slice(slash + 1);
  if (slash < 1 || !isProfileName(profile)) {
    throw new AgentKitError(
      'invalid_input',
      `"${text}" is not an account; write it as kind/@profile, like demo/@one`,
    );
  }
  return { kind, profile };
}

export function formatAccount(account: AccountName): string {
  return `${account.kind}/${account.profile}`;
}

/** Profile names: `@` and 1 to 32 of letters, digits, `.`, `_`, `-`, not starting with `.`. */
export function isProfileName(text: string): boolean {
  return profilePattern.test(text);
}

/**
 * One way to write an account, or a profile alone: without case, and `@1`, which means the CLI's own home, as
 * `@default`. Equal for two names of one account.
 */
export function normalAccount(text: string): string {
  return text.toLowerCase().replace(/@1$/, '@default');
}

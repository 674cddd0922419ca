import type { Profile } from '../agentKind.ts';
import { quoteForShell } from '../quoteForShell.ts';

/** The command by which a person logs in to an account. */
export function codexLogin(profile: Profile): string {
  return profile.folder === null ? 'codex login' : `CODEX_HOME=${quoteForShell(profile.folder)} codex login`;
}

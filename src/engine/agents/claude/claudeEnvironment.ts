import type { Profile } from '../agentKind.ts';
import { quoteForShell } from '../quoteForShell.ts';

/** What makes the CLI work for a profile; its own home needs nothing. */
export function claudeHome(profile: Profile): Record<string, string> {
  return profile.folder === null ? {} : { CLAUDE_CONFIG_DIR: profile.folder };
}

/** The same for a run that nobody watches. */
export function claudeEnvironment(profile: Profile): Record<string, string> {
  return {
    ...claudeHome(profile),
    // Without it a run waits for telemetry where that cannot be sent.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

/** A command for the person to run in a shell under the profile's account. */
export function claudeCommand(profile: Profile, ...args: string[]): string {
  const select = profile.folder === null ? [] : [`CLAUDE_CONFIG_DIR=${quoteForShell(profile.folder)}`];
  return [...select, 'claude', ...args].join(' ');
}

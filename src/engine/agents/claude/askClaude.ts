import { askCli, type CliAnswer, type Question } from '../../process/askCli.ts';
import type { Profile } from '../agentKind.ts';
import { claudeEnvironment } from './claudeEnvironment.ts';

/** The CLI of a machine and a profile to ask it about. */
export interface ClaudeAccount {
  executable: string;
  profile: Profile;
  inherited: Readonly<Record<string, string | undefined>>;
}

/** Asks Claude Code under a profile's login. @throws when it cannot be started */
export function askClaude(
  { executable, profile, inherited }: ClaudeAccount,
  args: readonly string[],
  more: Pick<Question, 'input' | 'isAnswer'> = {},
): Promise<CliAnswer> {
  return askCli({ argv: [executable, ...args], inherited, env: claudeEnvironment(profile), ...more });
}

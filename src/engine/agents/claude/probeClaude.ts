import type { Probe } from '../agentKind.ts';
import { askClaude, type ClaudeAccount } from './askClaude.ts';
import { claudeCommand } from './claudeEnvironment.ts';
import { readLoginStatus } from './readLoginStatus.ts';
import { rootProblem } from './rootProblem.ts';

/** How to get the CLI. */
export const claudeMissing =
  'Claude Code is not installed: there is no program "claude" on PATH; install it with: npm install -g @anthropic-ai/claude-code';

/**
 * Whether the CLI works and who it works for. It asks nobody: a login that has expired and can be refreshed is still
 * one. @throws when the CLI cannot be started
 */
export async function probeClaude(account: ClaudeAccount, userId: number | undefined): Promise<Probe> {
  const told = await askClaude(account, ['--version']);
  if (told.timedOut) return late(null);
  const version = /^\d+\.\d+\.\d+\S*/.exec(told.lines[0] ?? '')?.[0];
  if (version === undefined) {
    return {
      version: null,
      login: 'unknown',
      problem: `${account.executable} does not tell a version of Claude Code; install it anew with: npm install -g @anthropic-ai/claude-code`,
    };
  }
  const answer = await askClaude(account, ['auth', 'status', '--json']);
  if (answer.timedOut) return late(version);
  const status = readLoginStatus(answer);
  if (!status) {
    const problem = `Claude Code ${version} does not tell whether it is logged in; update it with: claude update`;
    return { version, login: 'unknown', problem };
  }
  if (!status.loggedIn) {
    const login = claudeCommand(account.profile, 'auth', 'login');
    return { version, login: 'not_logged_in', problem: `it is not logged in; log in with: ${login}` };
  }
  // One address can belong to several organizations, each with a plan of its own.
  const identity = [status.email, status.orgId].filter((part) => typeof part === 'string').join(' ');
  const problem = rootProblem(account.inherited, userId);
  return {
    version,
    login: 'ok',
    ...(identity !== '' && { identity }),
    ...(problem !== undefined && { problem }),
  };
}

function late(version: string | null): Probe {
  return { version, login: 'unknown', problem: 'Claude Code did not answer in time; try again', late: true };
}

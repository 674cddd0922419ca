import { AgentKitError } from '../../../core/agentKitError.ts';
import type { AgentKind, Posture, UsageAnswer } from '../agentKind.ts';
import { carrySession } from '../carrySession.ts';
import { findExecutable } from '../findExecutable.ts';
import { claudeArgv } from './claudeArgv.ts';
import { claudeEnvironment, claudeHome } from './claudeEnvironment.ts';
import { claudeScreen } from './claudeScreen.ts';
import { claudeSessions } from './claudeSessions.ts';
import { claudeUsageBefore } from './claudeUsageBefore.ts';
import { parseClaudeLine } from './parseClaudeLine.ts';
import { claudeMissing, probeClaude } from './probeClaude.ts';
import { readClaudeUsage } from './readClaudeUsage.ts';
import { rootProblem } from './rootProblem.ts';
import { trustClaudeFolder } from './trustClaudeFolder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ClaudeOptions {
  environment: Environment;
  /** Id of the user that agents run as; undefined where there are none. */
  userId: number | undefined;
}

/** Anthropic's Claude Code, found on PATH; measured with versions 2.1.197 and 2.1.332. */
export function createClaudeKind({ environment, userId }: ClaudeOptions): AgentKind {
  const find = (where: Environment) => findExecutable('claude', where);
  let reading: Promise<unknown> = Promise.resolve();
  const requireClaude = (posture: Posture) => {
    const executable = find(environment);
    if (executable === null) throw new AgentKitError('not_installed', claudeMissing);
    const problem = posture === 'auto' ? rootProblem(environment, userId) : undefined;
    if (problem !== undefined) throw new AgentKitError('refused', problem);
    return executable;
  };
  const sessions = claudeSessions(environment);
  return {
    id: 'claude',
    label: 'Claude Code',
    /** An account of its own exists where the CLI does. */
    get hasDefaultProfile() {
      return find(environment) !== null;
    },
    install: 'npm install -g @anthropic-ai/claude-code',
    cli: {
      program: 'claude',
      provider: 'anthropic',
      measured: ['2.1.197', '2.1.332'],
      overrides: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_BEDROCK',
        'CLAUDE_CODE_USE_VERTEX',
      ],
    },
    environment: claudeHome,
    launch: (profile, options) => ({
      argv: claudeArgv(requireClaude(options.posture), options),
      env: claudeEnvironment(profile),
    }),
    interactive: (profile, options) => ({
      argv: claudeScreen(requireClaude(options.posture), options),
      env: claudeHome(profile),
    }),
    login: (profile) => ({ argv: [requireClaude('ask'), 'auth', 'login'], env: claudeHome(profile) }),
    trustFolder: (profile, folder) => trustClaudeFolder(profile, folder, environment),
    parseLine: parseClaudeLine,
    usageBefore: (profile, session) => claudeUsageBefore(profile, session, environment),
    hasSession: sessions.has,
    carrySession: (from, to, session, cwd) => carrySession(sessions, { from, to, session, cwd }),
    async probe(profile, inherited) {
      const executable = find(inherited);
      return executable === null
        ? { version: null, login: 'unknown', problem: claudeMissing }
        : probeClaude({ executable, profile, inherited }, userId);
    },
    // One at a time: each takes 200 MB of memory for less than a second.
    readUsage(profile) {
      const executable = find(environment);
      const answer = reading.then((): UsageAnswer | Promise<UsageAnswer> =>
        executable === null
          ? { status: 'unknown', reason: claudeMissing, windows: [] }
          : readClaudeUsage({ executable, profile, inherited: environment }),
      );
      reading = answer.catch(() => undefined);
      return answer;
    },
  };
}

import { networkInterfaces } from 'node:os';
import type { UsageAnswer } from '../agentKind.ts';
import type { CliAnswer } from '../../process/askCli.ts';
import { askClaude, type ClaudeAccount } from './askClaude.ts';
import { claudeUsageArguments } from './claudeArgv.ts';
import { claudeCommand } from './claudeEnvironment.ts';
import { parseClaudeUsage, type ClaudeUsage } from './parseClaudeUsage.ts';
import { readFetchTime } from './readFetchTime.ts';
import { readLoginStatus } from './readLoginStatus.ts';
import { whyNoWindows } from './whyNoWindows.ts';

const requestId = 'agentkit-usage';
const request = {
  type: 'control_request',
  request_id: requestId,
  request: { subtype: 'get_usage', skip_behaviors: true },
};

/**
 * Asks the CLI itself for the quota of its account: no token passes through our hands and no model is called. The
 * CLI refreshes its login by its own rules. @throws when it cannot be started
 */
export async function readClaudeUsage(account: ClaudeAccount): Promise<UsageAnswer> {
  const answer = await askClaude(account, claudeUsageArguments, {
    // Standard input stays open until the answer: version 2.1.197 prints nothing after an early end of it.
    input: `${JSON.stringify(request)}\n`,
    isAnswer: (line) => parseClaudeUsage(line, requestId) !== undefined,
  });
  const usage = answer.lines.map((line) => parseClaudeUsage(line, requestId)).find(Boolean);
  const limits = usage?.limits;
  if (!limits) {
    return unknown(whyNoAnswer(answer, usage));
  }
  if (!limits.available) {
    return explainNoPlan(account);
  }
  const plan = limits.plan === undefined ? {} : { plan: limits.plan };
  if (!limits.windows) {
    return { ...(await explainNoWindows(account)), ...plan };
  }
  if (limits.odd !== undefined) {
    const odd = `Claude Code told no numbers that this version understands for its window ${limits.odd}`;
    return { ...unknown(odd), ...plan };
  }
  if (limits.windows.length === 0) {
    return { ...unknown('Claude Code told no quota window that this version knows'), ...plan };
  }
  const fetched = limits.maybeOld ? await readFetchTime(account) : undefined;
  const full = limits.windows.some((window) => window.model === undefined && window.free_pct === 0);
  return {
    status: full ? 'rate_limited' : 'ok',
    ...(fetched !== undefined && { read_at: fetched }),
    ...plan,
    windows: limits.windows,
  };
}

function unknown(reason: string): UsageAnswer {
  return { status: 'unknown', reason, windows: [] };
}

function whyNoAnswer(answer: CliAnswer, usage: ClaudeUsage | undefined): string {
  if (usage) {
    return `Claude Code did not tell the quota: ${usage.error ?? 'its answer has a shape that this version does not know'}`;
  }
  if (answer.timedOut) {
    return 'Claude Code did not tell the quota in time';
  }
  const told = answer.error && `: ${answer.error.slice(0, 300)}`;
  return `Claude Code ended without telling the quota (exit code ${answer.exit ?? 'none'})${told}`;
}

/** Asks nobody but this machine. */
async function explainNoWindows(account: ClaudeAccount): Promise<UsageAnswer> {
  return whyNoWindows({
    status: readLoginStatus(await askClaude(account, ['auth', 'status', '--json'])),
    online: Object.values(networkInterfaces()).some((each) => each?.some(({ internal }) => !internal)),
    nowMs: Date.now(),
    login: claudeCommand(account.profile, 'auth', 'login'),
  });
}

/** The login has no plan's windows; `auth status` says what it is instead. It asks nobody. */
async function explainNoPlan(account: ClaudeAccount): Promise<UsageAnswer> {
  const status = readLoginStatus(await askClaude(account, ['auth', 'status', '--json']));
  const login = claudeCommand(account.profile, 'auth', 'login');
  if (status?.loggedIn === false) {
    return { status: 'not_logged_in', reason: `log in with: ${login}`, windows: [] };
  }
  switch (status?.authMethod) {
    case 'api_key':
      return unknown('it works with an API key, which has no plan windows to read');
    case 'oauth_token':
      return unknown(`it works with a long-lived token, which may not read the quota; log in with: ${login}`);
    case 'third_party':
      return unknown('it works through a cloud provider, which has no plan windows to read');
    default:
      return unknown('its login has no plan windows that Claude Code can read');
  }
}

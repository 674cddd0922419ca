import { messageOf } from '../../../core/agentKitError.ts';
import type { Profile, UsageAnswer } from '../agentKind.ts';
import { askCodex } from './askCodex.ts';
import { codexLogin } from './codexLogin.ts';
import { readCodexLimits, readCodexRefusal } from './codexUsage.ts';
import { codexMissing, findCodex } from './findCodex.ts';

/**
 * Reads the quota through Codex itself, which keeps its login to itself: one request to the vendor, none to a model.
 * Never rejects: an account that cannot be read is unknown, with the reason.
 */
export async function readCodexUsage(
  profile: Profile,
  inherited: Readonly<Record<string, string | undefined>>,
  env: Record<string, string>,
): Promise<UsageAnswer> {
  const command = findCodex(inherited);
  if (command === null) {
    return unknown(codexMissing);
  }
  try {
    const reply = await askCodex({ command, profile, inherited, env, method: 'account/rateLimits/read' });
    if ('silence' in reply) {
      return unknown(reply.silence);
    }
    return 'error' in reply
      ? readCodexRefusal(reply.error, codexLogin(profile))
      : readCodexLimits(reply.result);
  } catch (error) {
    return unknown(`Codex cannot be started: ${messageOf(error)}`);
  }
}

function unknown(reason: string): UsageAnswer {
  return { status: 'unknown', reason, windows: [] };
}

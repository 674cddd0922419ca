import type { RefusalReason } from '../../../core/accounts/refusal.ts';
import type { AgentSignal } from '../agentKind.ts';

/**
 * The texts of Codex itself, always from their first letter on: `turn.failed` has no code. The second is a limit that
 * arrived within a stream, which also the thread's file calls only "other".
 */
const limits: readonly RegExp[] = [
  /^You[’']ve hit your usage limit\b/,
  /^stream disconnected before completion: The usage limit has been reached\b/,
];

const refusals: readonly [RegExp, RefusalReason][] = [
  [/^Your access token could not be refreshed\b/, 'not_logged_in'],
  [/^unexpected status 401 /, 'not_logged_in'],
  [/^Missing environment variable: `/, 'not_logged_in'],
  [/^Quota exceeded\. Check your plan\b/, 'billing'],
  [/^To use Codex with your ChatGPT plan, upgrade\b/, 'billing'],
  [/^(\{"detail":")?The (requested )?(model )?'[^']*' (model )?(does not exist|is not supported)\b/, 'model'],
  [/^exceeded retry limit, last status: 429 /, 'throttled'],
  [/^rate limit exceeded\b/, 'throttled'],
  [/^Selected model is at capacity\b/, 'throttled'],
  [/^We[’']re currently experiencing high demand\b/, 'throttled'],
  [/^(unexpected status|Failed to refresh token:) 5\d\d /, 'network'],
  [/^(stream disconnected before completion: )?error sending request\b/, 'network'],
];

/** What the message of a failed turn says about the account; nothing when it is an ordinary failure. */
export function describeCodexFailure(message: string): AgentSignal[] {
  if (limits.some((pattern) => pattern.test(message))) {
    return [{ type: 'limit' }];
  }
  const reason = refusals.find(([pattern]) => pattern.test(message))?.[1];
  return reason === undefined ? [] : [{ type: 'refused', reason, message }];
}

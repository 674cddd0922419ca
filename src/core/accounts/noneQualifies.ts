import { AgentKitError } from '../agentKitError.ts';
import { formatAccount } from './account.ts';
import type { PickAnswer } from './pickAccounts.ts';

/** Why nothing was chosen, of each account, and when one will qualify; `not_found` where the kind has none at all. */
export function noneQualifies(
  kind: string,
  { rejected, next_reset_at: reset }: Pick<PickAnswer, 'rejected' | 'next_reset_at'>,
): AgentKitError {
  if (rejected.length === 0) {
    return new AgentKitError(
      'not_found',
      `There is no account of kind ${kind}; make one with: ak profiles add ${kind} @one`,
    );
  }
  const why = rejected.map((each) => `${formatAccount(each)}: ${each.reason}`).join('; ');
  const until = reset === null ? '' : `; soonest reset: ${reset}`;
  return new AgentKitError(
    'none_qualifies',
    `No account of kind ${kind} qualifies (${why})${until}. One that you name, like @one, is used as it is.`,
  );
}

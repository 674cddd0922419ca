import { parseAccount } from '../../core/accounts/account.ts';
import type { CapacityLimits } from '../../core/accounts/capacity.ts';
import { AgentKitError } from '../../core/agentKitError.ts';

/** Whose capacity is asked for: of every account, or of fewer. */
export interface CapacityRequest extends CapacityLimits {
  kind?: string | undefined;
  /** `@profile`. */
  profile?: string | undefined;
  /** The account under which the asking process runs. */
  self?: boolean | undefined;
}

/** @throws AgentKitError `usage` for `self` beside a name, or outside an agent's environment */
export function wantedCapacity(
  { kind, profile, self }: CapacityRequest,
  environment: Readonly<Record<string, string | undefined>>,
): { kind?: string; profile?: string } {
  if (self !== true)
    return { ...(kind !== undefined && { kind }), ...(profile !== undefined && { profile }) };
  if (profile !== undefined) throw new AgentKitError('usage', `Name ${profile} or --self, not both`);
  const { AGENTKIT_ACTIVE_ACCOUNT: active } = environment;
  if (active === undefined || active === '') {
    throw new AgentKitError(
      'usage',
      '--self means the account of an agent that AgentKit started (AGENTKIT_ACTIVE_ACCOUNT), and here is none',
    );
  }
  const account = parseAccount(active);
  if (kind !== undefined && kind !== account.kind)
    throw new AgentKitError('usage', `--self is ${active} here, which is no account of kind ${kind}`);
  return account;
}

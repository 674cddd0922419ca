import { formatAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';

/**
 * Asks the CLI, and no vendor, whether it works for the account that is meant, before any prompt is sent.
 * @throws AgentKitError `not_installed`, `not_logged_in`, `wrong_account`
 */
export async function confirmAccount(request: {
  kind: AgentKind;
  profile: Profile;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<void> {
  const { kind, profile, environment } = request;
  const probe = await kind.probe?.(profile, environment);
  if (!probe) return;
  const problem = probe.problem ?? 'the CLI does not say why';
  const account = formatAccount({ kind: kind.id, profile: profile.name });
  if (probe.version === null) throw new AgentKitError('not_installed', problem);
  if (probe.login === 'not_logged_in') throw new AgentKitError('not_logged_in', `${account}: ${problem}`);
}

import type { AccountDesk } from '../accounts/accountDesk.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import { usualProfile } from './usualProfile.ts';

/** What selects an account for whoever starts its CLI by hand. */
export interface ProfileEnvironment {
  profile: Profile;
  /** Never a secret. */
  env: Record<string, string>;
  /** Names of variables that are set here and win over the account's login. */
  overridden_by: string[];
}

/** @throws AgentKitError as `usualProfile` and `AccountDesk.profile` */
export async function profileEnvironment(
  { desk, kind }: { desk: AccountDesk; kind: AgentKind },
  name: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ProfileEnvironment> {
  const request = { kind: kind.id, ...(name !== undefined && { profile: name }) };
  const usual = await usualProfile(desk, request, await desk.settings(), environment);
  const profile = await desk.profile(kind.id, usual);
  const overrides = kind.cli?.overrides ?? [];
  return {
    profile,
    env: kind.environment(profile),
    overridden_by: overrides.filter((each) => (environment[each] ?? '') !== ''),
  };
}

import { noneQualifies } from '../../core/accounts/noneQualifies.ts';
import { defaultProfile, type PersonSettings } from '../../core/accounts/personSettings.ts';
import type { AccountDesk } from '../accounts/accountDesk.ts';

/**
 * The profile that a person means at a terminal: the one they name, else what the environment or the settings say, else
 * the CLI's own home; `pick` said there means the account with most room.
 * @throws AgentKitError `none_qualifies`, `not_found` where there is no account; as `AccountDesk.pick`
 */
export async function usualProfile(
  desk: AccountDesk,
  { kind, profile, model }: { kind: string; profile?: string; model?: string },
  settings: PersonSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const said = environment['AGENTKIT_PROFILE'] ?? '';
  const name = profile ?? (said === '' ? (defaultProfile(settings, kind) ?? '@default') : said);
  if (name !== 'pick') return name;
  const answer = await desk.pick({ kind, ...(model !== undefined && { model }) });
  const [best] = answer.chosen;
  if (best !== undefined) return best.profile;
  throw noneQualifies(kind, answer);
}

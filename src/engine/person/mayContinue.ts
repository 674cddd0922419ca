import { AgentKitError } from '../../core/agentKitError.ts';
import { continueConsent } from '../../core/safety/consentName.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import { hasConsent } from './consents.ts';

/**
 * Why a conversation that a limit ended may not go on under another account of its kind; null when it may. Where somebody
 * logs in to the accounts that takes the person's word, once, that they are theirs to use so; without a word that can be
 * read there is none.
 */
export async function mayContinue(
  { id, label, login, carrySession }: Pick<AgentKind, 'id' | 'label' | 'login' | 'carrySession'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (carrySession === undefined) return `A session of ${label} cannot go on under another account.`;
  // The accounts of the embedded demo agent are nobody's.
  if (login === null) return null;
  const cure = `ak consent add ${continueConsent(id)}`;
  try {
    if (await hasConsent(environment, continueConsent(id))) return null;
    return `Whether a conversation may go on under another of your ${label} accounts is yours to say, once: ${cure}`;
  } catch (error) {
    if (!(error instanceof AgentKitError)) throw error;
    return `Your word on going on under another of your ${label} accounts cannot be read: ${error.message}`;
  }
}

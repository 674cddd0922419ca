import { AgentKitError } from '../../core/agentKitError.ts';
import { openRepository, type Repository } from '../git/openRepository.ts';
import { ownCheckout } from '../git/ownCheckout.ts';
import { gitText } from '../git/plumbing.ts';
import { planKinds, type KindSources, type PlanKinds } from './planKinds.ts';

/**
 * The kinds of this machine, and those that the repository of a folder describes and the person has allowed.
 * @param kind The one that is meant; left out by who lists all, and then a repository that is not in order adds none.
 * @throws AgentKitError `refused` when the kind is described there and not allowed, `invalid_input` with the place
 */
export async function kindsOfFolder(
  folder: string,
  kind: string | undefined,
  sources: Pick<KindSources, 'own' | 'environment'>,
): Promise<PlanKinds['kinds']> {
  const { own } = sources;
  const here = await checkedOut(folder).catch(nullIfExpected);
  if (here === null) return own;
  const found = planKinds(here.commit, { ...sources, repository: here.repository, needsTrust: true });
  const known = await (kind === undefined ? found.catch(nullIfExpected) : found);
  if (known === null) return own;
  if (known.unallowed.length === 0) return known.kinds;
  if (kind === undefined || !known.described.has(kind)) return own;
  throw new AgentKitError('refused', known.unallowed.join('\n'));
}

async function checkedOut(folder: string): Promise<{ repository: Repository; commit: string }> {
  const repository = await openRepository(folder);
  const checkout = await ownCheckout(repository, folder);
  return { repository, commit: await gitText(checkout, ['rev-parse', 'HEAD']) };
}

/** Where there is no repository that could be used, there is none that describes a kind. */
function nullIfExpected(error: unknown): null {
  if (error instanceof AgentKitError) return null;
  throw error;
}

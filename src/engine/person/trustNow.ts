import { resolve } from 'node:path';
import { AgentKitError } from '../../core/agentKitError.ts';
import { openRepository, type Repository } from '../git/openRepository.ts';
import { ownCheckout } from '../git/ownCheckout.ts';
import { gitText } from '../git/plumbing.ts';
import { realPathOf } from '../git/realPathOf.ts';
import { resolveBase } from '../git/resolveBase.ts';
import { readRepositoryKinds } from '../plans/readRepositoryKinds.ts';
import { readRepositorySettings } from '../plans/readRepositorySettings.ts';
import {
  distrustRepository,
  listTrusted,
  repositoryTrust,
  type RepositoryTrust,
  type TrustEntry,
} from './repositoryTrust.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository that something was allowed for, and whether that still holds. */
export interface TrustedNow extends TrustEntry {
  status: RepositoryTrust['status'] | 'unreadable';
  difference: string[];
  /** Why it cannot be read, where that is so. */
  reason?: string;
}

/**
 * What the repository of a folder would run: at the commit that lanes start from there, and where that may run, at the
 * one that is checked out.
 * @throws AgentKitError; `invalid_input` with the place in `agentkit.yaml` where none of it could run
 */
export async function trustOfFolder(folder: string, environment: Environment): Promise<RepositoryTrust> {
  const repository = await openRepository(resolve(folder));
  const checkout = await ownCheckout(repository, resolve(folder));
  const { sha } = await resolveBase({ root: checkout });
  const atBase = await trustAt(repository, sha, environment);
  if (!atBase.mayRun) return atBase;
  const here = await trustAt(repository, await gitText(checkout, ['rev-parse', 'HEAD']), environment);
  return here.mayRun ? atBase : here;
}

/** Nobody is asked about what no plan would take. */
async function trustAt(
  repository: Repository,
  commit: string,
  environment: Environment,
): Promise<RepositoryTrust> {
  const trust = await repositoryTrust(repository, commit, environment);
  if (trust.status === 'nothing') return trust;
  await readRepositorySettings(repository.root, commit);
  await readRepositoryKinds(repository.root, commit, new Map());
  return trust;
}

/** Every repository that something was allowed for. @throws AgentKitError when the list cannot be read */
export async function trustedNow(environment: Environment): Promise<TrustedNow[]> {
  const entries = await listTrusted(environment);
  return Promise.all(
    entries.map(async (entry): Promise<TrustedNow> => {
      try {
        const { status, difference, commonDir } = await trustOfFolder(entry.root, environment);
        if (commonDir === entry.common_dir) return { ...entry, status, difference };
        const reason = `${entry.root} is another repository now`;
        return { ...entry, status: 'unreadable', difference: [], reason };
      } catch (error) {
        if (!(error instanceof AgentKitError)) throw error;
        return { ...entry, status: 'unreadable', difference: [], reason: error.message };
      }
    }),
  );
}

/** Takes back what was allowed for the repository of a folder, or for one that lay there. @throws `not_found` */
export async function distrustFolder(folder: string, environment: Environment): Promise<void> {
  const root = await openRepository(resolve(folder)).then(
    (repository) => repository.root,
    () => realPathOf(resolve(folder)),
  );
  await distrustRepository(root, environment);
}

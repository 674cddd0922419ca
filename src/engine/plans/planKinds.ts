import { parseAccount } from '../../core/accounts/account.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import { createUserKind } from '../agents/user/createUserKind.ts';
import type { UserKindDefinition } from '../agents/user/userKindSchema.ts';
import type { Repository } from '../git/openRepository.ts';
import { readRepositoryKinds } from './readRepositoryKinds.ts';
import { unallowedCommands } from './unallowedCommands.ts';

/** The kinds that a plan may name at its base. */
export interface PlanKinds {
  /** Those of this machine and those of the repository. */
  kinds: ReadonlyMap<string, AgentKind>;
  /** Ids of those of the repository. */
  described: ReadonlySet<string>;
  /** Why those may not run; empty when they may. */
  unallowed: readonly string[];
}

export interface KindSources {
  repository: Repository;
  /** The kinds of this machine. */
  own: ReadonlyMap<string, AgentKind>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether the commands that a repository names need the person's word; where the editor trusts it they have it. */
  needsTrust: boolean;
}

/**
 * The kinds at a base commit. What the repository describes is known by its name alone until it may run.
 * @throws AgentKitError `invalid_input` with the place in `agentkit.yaml`
 */
export async function planKinds(commit: string, sources: KindSources): Promise<PlanKinds> {
  const { repository, own, environment, needsTrust } = sources;
  const definitions = await readRepositoryKinds(repository.root, commit, own);
  const described = new Set(definitions.keys());
  const asks = needsTrust && described.size > 0;
  const unallowed = asks ? await unallowedCommands(repository, commit, environment) : [];
  const theirs = [...definitions].map(([id, definition]) =>
    repositoryKind(id, definition, environment, unallowed),
  );
  return {
    kinds: new Map([...own, ...theirs.map((kind) => [kind.id, kind] as const)]),
    described,
    unallowed,
  };
}

/** Whether a job of the plan is for a kind that only the repository describes. */
export function namesDescribed({ jobs }: Pick<Plan, 'jobs'>, described: ReadonlySet<string>): boolean {
  const kindOf = ({ kind, account }: Plan['jobs'][number]) =>
    account === undefined ? kind : parseAccount(account).kind;
  return jobs.some((job) => described.has(kindOf(job) ?? ''));
}

/** Nothing that it names runs but an agent of a plan: a preview must not start its program, not even for a version. */
function repositoryKind(
  id: string,
  definition: UserKindDefinition,
  environment: KindSources['environment'],
  unallowed: readonly string[],
): AgentKind {
  const kind = createUserKind(id, definition, { environment });
  delete kind.probe;
  if (unallowed.length > 0)
    kind.launch = () => {
      throw new AgentKitError('refused', unallowed.join('\n'));
    };
  return kind;
}

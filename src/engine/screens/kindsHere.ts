import { kindOnMachine, type KindOnMachine } from '../accounts/kindOnMachine.ts';
import { listProfiles } from '../accounts/profiles.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import { findExecutable } from '../agents/findExecutable.ts';

/** A kind of agent on this machine, from its files alone. */
export interface KindHere extends KindOnMachine {
  /** Where its CLI is; null where it is not here, or needs none. */
  path: string | null;
  /** Names with their `@`. */
  profiles: string[];
}

/** @throws AgentKitError `usage` when HOME is not set */
export function kindsHere(
  kinds: ReadonlyMap<string, AgentKind>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<KindHere[]> {
  return Promise.all(
    [...kinds.values()].map(async (kind) => ({
      ...kindOnMachine(kind),
      path: kind.cli === undefined ? null : findExecutable(kind.cli.program, environment),
      profiles: (await listProfiles(kind, environment)).map(({ name }) => name),
    })),
  );
}

import { accountFacts } from '../../core/accounts/accountFacts.ts';
import { formatAccount } from '../../core/accounts/account.ts';
import {
  pickAccounts,
  unknownExclusions,
  type PickAnswer,
  type PickRequest,
} from '../../core/accounts/pickAccounts.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountFact } from '../../core/run/facts.ts';
import type { AgentKind, Profile } from '../agents/agentKind.ts';
import type { AccountSource } from '../conductor/gatherFacts.ts';
import { listLeases } from './leases.ts';
import { addProfile, findProfile, listProfiles } from './profiles.ts';
import { readUsage } from './usageReader.ts';

/** Age in seconds up to which a reading serves a pick (design chapter 3). */
const pickAge = 300;

interface DeskOptions {
  kinds: ReadonlyMap<string, AgentKind>;
  environment: Readonly<Record<string, string | undefined>>;
  now: () => Date;
}

/** The accounts of this machine: profiles, readings, and which of them a writer holds. Needs no repository. */
export class AccountDesk {
  readonly #options: DeskOptions;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** @throws AgentKitError `not_found` for an unknown kind */
  async read({ kind, maxAgeS }: { kind?: string; maxAgeS?: number }): Promise<AccountReading[]> {
    if (kind !== undefined) this.#kind(kind);
    return readUsage({ ...this.#options, maxAgeS: maxAgeS ?? pickAge, ...(kind !== undefined && { kind }) });
  }

  /** @throws AgentKitError `not_found` for an unknown kind, or when an exclusion names no account of it */
  async pick(request: PickRequest): Promise<PickAnswer> {
    const { kind, max_age_s: maxAgeS } = request;
    const readings = await this.read({
      ...(kind !== undefined && { kind }),
      ...(maxAgeS !== undefined && { maxAgeS }),
    });
    const [stranger] = unknownExclusions(readings, request);
    if (stranger !== undefined) {
      const known = readings.map(formatAccount).join(', ') || 'none';
      throw new AgentKitError('not_found', `There is no account ${stranger} to exclude; there are ${known}.`);
    }
    return pickAccounts(readings, await this.leased(), request, this.#options.now().toISOString());
  }

  /** Accounts that a writer holds, as `kind/@profile`. */
  async leased(): Promise<Set<string>> {
    return new Set((await listLeases(this.#options)).map(({ account }) => account));
  }

  async profiles(): Promise<Profile[]> {
    const lists = [...this.#options.kinds.values()].map((kind) =>
      listProfiles(kind, this.#options.environment),
    );
    return (await Promise.all(lists)).flat();
  }

  async profile(kind: string, name: string): Promise<Profile> {
    return findProfile(this.#kind(kind), name, this.#options.environment);
  }

  async addProfile(kind: string, name: string): Promise<Profile> {
    return addProfile(this.#kind(kind), name, this.#options.environment);
  }

  /** For one batch: usage is read once, leases at every look. */
  source(): AccountSource {
    let readings: Promise<AccountReading[]> | undefined;
    let maxAgeS = pickAge;
    return {
      facts: async (): Promise<AccountFact[]> => {
        readings ??= this.read({ maxAgeS });
        return accountFacts(await readings, await this.leased(), this.#options.now().toISOString());
      },
      refresh: () => {
        readings = undefined;
        maxAgeS = 0;
      },
    };
  }

  #kind(id: string): AgentKind {
    const kind = this.#options.kinds.get(id);
    if (kind !== undefined) return kind;
    const known = [...this.#options.kinds.keys()].join(', ');
    throw new AgentKitError('not_found', `There is no kind "${id}"; this version knows ${known}.`);
  }
}

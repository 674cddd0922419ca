import { accountFacts } from '../../core/accounts/accountFacts.ts';
import type { PickAnswer, PickRequest } from '../../core/accounts/pickAccounts.ts';
import type { AccountSetting, PersonSettings } from '../../core/accounts/personSettings.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountFact } from '../../core/run/facts.ts';
import type { AgentKind, InteractiveOptions, Probe, Profile } from '../agents/agentKind.ts';
import { unknownKind } from '../agents/unknownKind.ts';
import type { AccountSource } from '../conductor/gatherFacts.ts';
import { kindOnMachine, type KindOnMachine } from './kindOnMachine.ts';
import { listLeases } from './leases.ts';
import { pickAccount, pickAge } from './pickAccount.ts';
import { addProfile, findProfile, listProfiles } from './profiles.ts';
import { terminalStart, type TerminalStart } from './terminalStart.ts';
import { readPersonSettings } from './personSettings.ts';
import { setAccountSetting } from './setAccountSetting.ts';
import { readUsage } from './usageReader.ts';

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
    if (request.kind !== undefined) this.#kind(request.kind);
    return pickAccount(request, this.#options);
  }

  /** Accounts that a writer holds, as `kind/@profile`. */
  async leased(): Promise<Set<string>> {
    return new Set((await listLeases(this.#options)).map(({ account }) => account));
  }

  /** The person's own settings. @throws AgentKitError `invalid_input`, `refused`, `usage` */
  async settings(): Promise<PersonSettings> {
    return readPersonSettings(this.#options.environment);
  }

  /** Writes what the person set for an account; the settings file keeps its comments. @throws as `settings` */
  async setAccount(account: string, change: Partial<AccountSetting>): Promise<void> {
    await setAccountSetting(this.#options.environment, account, change);
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

  /** Every kind of agent this version can drive. */
  kinds(): KindOnMachine[] {
    return [...this.#options.kinds.values()].map(kindOnMachine);
  }

  /** Asks the CLI, and no vendor, who an account belongs to; null where no CLI is asked. @throws as `profile` */
  async probe(kind: string, name: string): Promise<Probe | null> {
    const profile = await this.profile(kind, name);
    return (await this.#kind(kind).probe?.(profile, this.#options.environment)) ?? null;
  }

  /** The vendor's own login of an account. @throws AgentKitError `not_installed`, `usage` when there is none; as `profile` */
  async login(kind: string, name: string): Promise<TerminalStart> {
    const profile = await this.profile(kind, name);
    const { label, login } = this.#kind(kind);
    if (login === null) throw new AgentKitError('usage', `${label} has no login of its own`);
    return terminalStart(login(profile), profile, this.#options.environment);
  }

  /** The vendor's own screen under an account. @throws AgentKitError as `login`, and `refused` with what to do */
  async screen(
    kind: string,
    name: string,
    options: Pick<InteractiveOptions, 'posture' | 'resume'>,
  ): Promise<TerminalStart> {
    const profile = await this.profile(kind, name);
    const { label, interactive } = this.#kind(kind);
    if (interactive === null) throw new AgentKitError('usage', `${label} has no screen of its own`);
    const { argv, env } = interactive(profile, { ...options, args: [] });
    // Whatever is started in there keeps to the person's word too.
    const asks = options.posture === 'ask' ? { AGENTKIT_PERMISSIONS: 'ask' } : {};
    return terminalStart({ argv, env: { ...env, ...asks } }, profile, this.#options.environment);
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
    throw unknownKind(id, this.#options.kinds);
  }
}

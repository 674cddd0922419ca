import { staleAccounts, withHope } from '../../core/accounts/withHope.ts';
import type { PickAnswer, PickRequest } from '../../core/accounts/pickAccounts.ts';
import type { AccountSetting, PersonSettings } from '../../core/accounts/personSettings.ts';
import { formatAccount, parseAccount } from '../../core/accounts/account.ts';
import { judgeCapacity, type CapacityAnswer } from '../../core/accounts/capacity.ts';
import { isMeantBy } from '../../core/accounts/refuseAccount.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { AgentKitError } from '../../core/agentKitError.ts';
import { postureEnvironment } from '../../core/safety/posture.ts';
import type { AgentKind, InteractiveOptions, Probe, Profile } from '../agents/agentKind.ts';
import { unknownKind } from '../agents/unknownKind.ts';
import type { AccountSource } from '../conductor/gatherFacts.ts';
import { requirePerson } from '../person/requirePerson.ts';
import { BatchAccounts } from './batchAccounts.ts';
import { requireIncluded } from './knownLogin.ts';
import { learnLogin } from './rememberLogin.ts';
import { kindOnMachine, type KindOnMachine } from './kindOnMachine.ts';
import { listLeases, releaseLeaseById, takeLease, type Lease, type LeaseOwner } from './leases.ts';
import { pickAndLease, type LeasedPick } from './pickAndLease.ts';
import { removeProfile } from './removeProfile.ts';
import { scanProfiles, type ProfileProblem } from './scanProfiles.ts';
import { wantedCapacity, type CapacityRequest } from './wantedCapacity.ts';
import { confirmAccount } from './confirmAccount.ts';
import { confirmScreen } from './confirmHeld.ts';
import { pickAccount, pickAge } from './pickAccount.ts';
import { addProfile, findProfile, listProfiles } from './profiles.ts';
import { terminalStart, type TerminalStart } from './terminalStart.ts';
import { readPersonSettings } from './personSettings.ts';
import { setAccountSetting } from './setAccountSetting.ts';
import { readUsage } from './usageReader.ts';
import { viewAccounts, type AccountView, type PlanAccounts } from './viewAccounts.ts';

interface DeskOptions {
  kinds: ReadonlyMap<string, AgentKind>;
  environment: Readonly<Record<string, string | undefined>>;
  /** Variables that the head's own settings withhold. */
  denies?: (() => readonly string[]) | undefined;
  now: () => Date;
}

/** The accounts of this machine: profiles, readings, and which of them a writer holds. Needs no repository. */
export class AccountDesk {
  readonly #options: DeskOptions;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** The same where other kinds are known. */
  with(kinds: DeskOptions['kinds']): AccountDesk {
    return new AccountDesk({ ...this.#options, kinds });
  }

  /** @throws AgentKitError `not_found` for an unknown kind */
  async read({ kind, maxAgeS = pickAge }: { kind?: string; maxAgeS?: number }): Promise<AccountReading[]> {
    if (kind !== undefined) this.#kind(kind);
    return readUsage({ ...this.#options, maxAgeS, ...(kind !== undefined && { wanted: { kinds: [kind] } }) });
  }

  /** @throws AgentKitError `not_found` for an unknown kind, or when an exclusion names no account of it */
  async pick(request: PickRequest): Promise<PickAnswer> {
    if (request.kind !== undefined) this.#kind(request.kind);
    return pickAccount(request, this.#options);
  }

  /** The accounts that are held, each with who holds it. */
  async leases(): Promise<Lease[]> {
    return listLeases(this.#options);
  }

  /**
   * Chooses accounts and takes them in one step, so that of several who ask at once nobody gets what another one got.
   * @throws AgentKitError as `pick` and `lease`
   */
  async pickAndLease(request: PickRequest, owner: LeaseOwner): Promise<LeasedPick> {
    if (request.kind !== undefined) this.#kind(request.kind);
    return pickAndLease(request, owner, this.#options);
  }

  /**
   * Takes an account that is named, `kind/@profile`, for an owner.
   * @throws AgentKitError `not_found` for no such account, or when the owner's process is gone; `conflict` when others
   *   have it; `refused` when the person excluded it
   */
  async lease(account: string, owner: LeaseOwner): Promise<Lease> {
    const { kind, profile } = parseAccount(account);
    const found = await this.profile(kind, profile);
    const name = formatAccount({ kind: found.kind, profile: found.name });
    const { environment } = this.#options;
    await learnLogin(this.#kind(kind), found, environment);
    await requireIncluded(name, environment);
    const taken = await takeLease({ ...owner, account: name, environment });
    const lease = (await this.leases()).find((each) => each.account === name && each.owner === owner.owner);
    if (taken && lease !== undefined) return lease;
    throw new AgentKitError('conflict', `${name} is in use; ak lease ls says by whom.`);
  }

  /** @throws AgentKitError `not_found`, `refused` while an agent runs under it */
  async releaseLease(id: string): Promise<Lease> {
    return releaseLeaseById(id, this.#options.environment);
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

  /** @throws AgentKitError `refused` to agents; as `addProfile` of a kind */
  async addProfile(kind: string, name: string): Promise<Profile> {
    requirePerson(this.#options.environment, 'add an account');
    return addProfile(this.#kind(kind), name, this.#options.environment);
  }

  /** Folders that look like profiles of a kind, or of any, and are not used; each with what to do. */
  async profileProblems(kind?: string): Promise<ProfileProblem[]> {
    const kinds = kind === undefined ? [...this.#options.kinds.values()] : [this.#kind(kind)];
    const scans = await Promise.all(kinds.map((each) => scanProfiles(each, this.#options.environment)));
    return scans.flatMap(({ problems }) => problems);
  }

  /** Deletes a profile's folder, with its login, and nothing else; whoever calls has asked the person. @throws `refused` */
  async removeProfile(kind: string, name: string): Promise<Profile> {
    requirePerson(this.#options.environment, 'delete a login');
    return removeProfile(this.#kind(kind), name, this.#options.environment);
  }

  /**
   * Whether accounts have room for more, by what is known of them: contacts nobody. `self` means the account of the
   * agent that asks.
   * @throws AgentKitError `usage`, `not_found`
   */
  async capacity(request: CapacityRequest = {}): Promise<CapacityAnswer> {
    const { environment, now } = this.#options;
    const wanted = wantedCapacity(request, environment);
    if (wanted.kind !== undefined) this.#kind(wanted.kind);
    if (wanted.kind !== undefined && wanted.profile !== undefined)
      await this.profile(wanted.kind, wanted.profile);
    const all = await this.read({
      ...(wanted.kind !== undefined && { kind: wanted.kind }),
      maxAgeS: Infinity,
    });
    const { profile } = wanted;
    const meant = all.filter((reading) => profile === undefined || isMeantBy(reading, profile));
    return judgeCapacity(meant, request, now().toISOString());
  }

  /** Asks an account's CLI, and no vendor, whether it is the login that was last read. @throws as `confirmAccount` */
  async confirm(kind: string, name: string): Promise<void> {
    const profile = await this.profile(kind, name);
    await confirmAccount({ kind: this.#kind(kind), profile, environment: this.#options.environment });
  }

  /**
   * The same for a screen whose account an owner holds: of its login, too, others may have it or the person have
   * excluded it. @throws AgentKitError `wrong_account`, `refused`, `conflict`, `not_found`
   */
  async confirmScreen(kind: string, name: string, owner: string): Promise<void> {
    const { environment } = this.#options;
    const profile = await this.profile(kind, name);
    await confirmScreen({ kind: this.#kind(kind), profile, environment, owner });
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

  /** Variables that the person withholds at any place. @throws as `settings` */
  async #denied(): Promise<string[]> {
    const { denied } = await this.settings();
    return [...denied, ...(this.#options.denies?.() ?? [])];
  }

  /** The vendor's own login of an account. @throws AgentKitError `not_installed`, `usage` when there is none; as `profile` */
  async login(kind: string, name: string): Promise<TerminalStart> {
    const profile = await this.profile(kind, name);
    const { label, login } = this.#kind(kind);
    if (login === null) throw new AgentKitError('usage', `${label} has no login of its own`);
    return terminalStart(login(profile), profile, this.#options.environment, await this.#denied());
  }

  /**
   * The vendor's own screen under an account; `ask` wins wherever the person said it.
   * @throws AgentKitError as `login` and `settings`, and `refused` with what to do
   */
  async screen(
    kind: string,
    name: string,
    options: Partial<InteractiveOptions> = {},
  ): Promise<TerminalStart> {
    const profile = await this.profile(kind, name);
    const { label, interactive } = this.#kind(kind);
    if (interactive === null) throw new AgentKitError('usage', `${label} has no screen of its own`);
    const { permissions } = await this.settings();
    const posture = permissions === 'ask' ? 'ask' : (options.posture ?? permissions);
    const { argv, env } = interactive(profile, { args: [], ...options, posture });
    // Whatever is started in there keeps to the person's word too.
    const asks = postureEnvironment(posture);
    const deny = await this.#denied();
    return terminalStart({ argv, env: { ...env, ...asks } }, profile, this.#options.environment, deny);
  }

  /**
   * The accounts as a plan may use them, by what is known of them: contacts nobody. Those that a start would read
   * first may be chosen, without a headroom.
   */
  async preview(plan: PlanAccounts): Promise<AccountView> {
    const { readings, facts } = await viewAccounts(plan, { ...this.#options, maxAgeS: Infinity });
    const local = new Set(
      [...this.#options.kinds.values()].filter((kind) => kind.usageIsLocal === true).map(({ id }) => id),
    );
    const remote = readings.filter(({ kind }) => !local.has(kind));
    const stale = staleAccounts(remote, { maxAgeS: pickAge, now: this.#options.now().toISOString() });
    return { readings, facts: withHope(facts, stale) };
  }

  /** The same at the start of a batch: what nobody read lately is read, once. */
  async survey(plan: PlanAccounts): Promise<AccountView> {
    return viewAccounts(plan, { ...this.#options, maxAgeS: pickAge });
  }

  /** Where a run of a plan learns of its accounts. */
  source(plan: PlanAccounts): AccountSource {
    return new BatchAccounts(plan, this.#options);
  }

  #kind(id: string): AgentKind {
    const kind = this.#options.kinds.get(id);
    if (kind !== undefined) return kind;
    throw unknownKind(id, this.#options.kinds, this.#options.environment);
  }
}

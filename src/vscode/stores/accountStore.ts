import { EventEmitter, type Disposable } from 'vscode';
import { formatAccount, parseAccount } from '../../core/accounts/account.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import type { AccountDesk } from '../../engine/agentKit.ts';
import { changedAccounts, type AccountView, type LoginNote } from './accountView.ts';

/** A reading of any age: nobody is contacted for it. */
const cached = { maxAgeS: Infinity };
/** Owner of an account whose screen a terminal of this window shows, also before `ak` in it has begun. */
const ownTerminal = 'terminal/own';

/**
 * The one owner of this window's accounts. By itself it shows what is known on this machine and contacts nobody; only
 * `refresh`, which is the person's own wish, asks the vendors.
 */
export class AccountStore implements Disposable {
  readonly #changed = new EventEmitter<ReadonlySet<string> | undefined>();
  /** Names of accounts that are different; undefined when accounts came or went. */
  readonly onDidChange = this.#changed.event;
  readonly #desk: () => AccountDesk;
  readonly #logins = new Map<string, LoginNote>();
  readonly #sessions = new Set<string>();
  #accounts: readonly AccountView[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(desk: () => AccountDesk) {
    this.#desk = desk;
  }

  /** By kind and name; undefined before the first look. */
  get accounts(): readonly AccountView[] | undefined {
    return this.#accounts;
  }

  get readings(): readonly AccountReading[] | undefined {
    return this.#accounts?.map(({ reading }) => reading);
  }

  account(name: string): AccountView | undefined {
    return this.#accounts?.find((account) => account.name === name);
  }

  /** For a view that is shown for the first time. */
  async loadOnce(): Promise<void> {
    if (!this.#accounts) await this.load();
  }

  /** Looks again at what this machine knows. Who asks while a look is under way gets the next one. */
  async load(): Promise<void> {
    const before = this.#loading;
    const next = (async () => {
      await before?.catch(() => undefined);
      this.#take(await this.#look());
    })();
    this.#loading = next;
    await next;
  }

  /** Asks the vendor of one kind of agent anew, or each of them. */
  async refresh(kind?: string): Promise<void> {
    const desk = this.#desk();
    await desk.read({ maxAgeS: 0, ...(kind !== undefined && { kind }) });
    for (const name of this.#logins.keys())
      if (kind === undefined || parseAccount(name).kind === kind) this.#logins.delete(name);
    await this.load();
  }

  async setExcluded(name: string, exclude: boolean): Promise<void> {
    await this.#desk().setAccount(name, { exclude });
    await this.load();
  }

  /** Notes what an account's CLI said when it was asked after a login. */
  async noteLogin(name: string, note: LoginNote): Promise<void> {
    this.#logins.set(name, note);
    await this.load();
  }

  /** Notes that a terminal of this window has an account's screen, or has it no more. */
  async noteSession(name: string, open: boolean): Promise<void> {
    if (open) this.#sessions.add(name);
    else this.#sessions.delete(name);
    await this.load();
  }

  /** Takes what somebody else has read, like the preview of a plan; the first look finds it by itself. */
  accept(readings: readonly AccountReading[]): void {
    if (!this.#accounts) return;
    const read = new Map(readings.map((reading) => [formatAccount(reading), reading]));
    this.#take(this.#accounts.map((each) => ({ ...each, reading: read.get(each.name) ?? each.reading })));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #look(): Promise<AccountView[]> {
    const desk = this.#desk();
    const [profiles, readings, leases] = await Promise.all([
      desk.profiles(),
      desk.read(cached),
      desk.leases(),
    ]);
    const kinds = new Map(desk.kinds().map((kind) => [kind.id, kind]));
    const folders = new Map(
      profiles.map((each) => [formatAccount({ kind: each.kind, profile: each.name }), each.folder]),
    );
    return readings.map((reading) => {
      const name = formatAccount(reading);
      const kind = kinds.get(reading.kind);
      const login = this.#logins.get(name);
      return {
        kind: reading.kind,
        profile: reading.profile,
        name,
        folder: folders.get(name) ?? null,
        logsIn: kind?.logsIn ?? false,
        hasScreen: kind?.hasScreen ?? false,
        reading,
        heldBy: [
          ...(this.#sessions.has(name) ? [ownTerminal] : []),
          ...leases.filter(({ account }) => account === name).map(({ owner }) => owner),
        ],
        sameLogin: sameLogin(reading, readings),
        ...(login && { login }),
      };
    });
  }

  #take(accounts: readonly AccountView[]): void {
    const before = this.#accounts;
    this.#accounts = accounts;
    const changed = changedAccounts(before, accounts);
    if (changed === undefined || changed.size > 0) this.#changed.fire(changed);
  }
}

/** Accounts whose vendor knows the same person. */
function sameLogin(
  { kind, profile, identity }: AccountReading,
  readings: readonly AccountReading[],
): string[] {
  if (identity === undefined) return [];
  return readings
    .filter((other) => other.kind === kind && other.profile !== profile && other.identity === identity)
    .map(formatAccount);
}

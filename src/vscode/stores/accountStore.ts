import { EventEmitter, type Disposable } from 'vscode';
import type { AccountReading } from '../../core/accounts/usage.ts';
import type { AgentKit } from '../../engine/agentKitTypes.ts';

/** Age in seconds up to which a reading is shown without asking the vendor anew. */
const shownAgeS = 300;

/** The one owner of account readings in this window. It reads when told to; nothing here polls. */
export class AccountStore implements Disposable {
  readonly #changed = new EventEmitter<ReadonlySet<string> | undefined>();
  /** Names of accounts that are different; undefined when accounts came or went. */
  readonly onDidChange = this.#changed.event;
  readonly #kit: () => Promise<AgentKit>;
  #readings: readonly AccountReading[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(kit: () => Promise<AgentKit>) {
    this.#kit = kit;
  }

  /** Undefined before the first reading. */
  get readings(): readonly AccountReading[] | undefined {
    return this.#readings;
  }

  /** For a view that is shown for the first time: a cached reading will do. */
  async loadOnce(): Promise<void> {
    if (this.#readings) return;
    this.#loading ??= this.#read(shownAgeS).finally(() => (this.#loading = undefined));
    await this.#loading;
  }

  /** The person's own wish: asks every vendor anew. */
  async refresh(): Promise<void> {
    await this.#read(0);
  }

  /** Takes what somebody else has read, like the preview of a plan. */
  accept(readings: readonly AccountReading[]): void {
    const before = this.#readings;
    this.#readings = readings;
    const changed = changedNames(before, readings);
    if (changed === undefined || changed.size > 0) this.#changed.fire(changed);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #read(maxAgeS: number): Promise<void> {
    const kit = await this.#kit();
    this.accept(await kit.usage({ maxAgeS }));
  }
}

/** `kind/@profile` of a reading. */
export function accountName(reading: AccountReading): string {
  return `${reading.kind}/${reading.profile}`;
}

function changedNames(
  before: readonly AccountReading[] | undefined,
  after: readonly AccountReading[],
): ReadonlySet<string> | undefined {
  const old = new Map(before?.map((reading) => [accountName(reading), JSON.stringify(reading)]));
  if (before?.length !== after.length || after.some((reading) => !old.has(accountName(reading))))
    return undefined;
  return new Set(
    after.filter((reading) => old.get(accountName(reading)) !== JSON.stringify(reading)).map(accountName),
  );
}

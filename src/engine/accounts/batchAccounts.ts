import { AgentKitError } from '../../core/agentKitError.ts';
import type { AccountFact } from '../../core/run/facts.ts';
import type { AccountSource } from '../conductor/gatherFacts.ts';
import { pickAge } from './pickAccount.ts';
import type { UsageRequest } from './usageReader.ts';
import { viewAccounts, type PlanAccounts } from './viewAccounts.ts';

/**
 * The accounts of one batch. A vendor is asked once an account, at the first look, unless it was lately; again only
 * when a window has passed its reset, and when a person has something tried again.
 */
export class BatchAccounts implements AccountSource {
  readonly #plan: PlanAccounts;
  readonly #options: Omit<UsageRequest, 'wanted' | 'models' | 'maxAgeS'>;
  readonly #refreshed = new Set<string>();
  #last: AccountFact[] | undefined;
  #next: 'start' | 'refresh' | 'known' = 'start';

  constructor(plan: PlanAccounts, options: Omit<UsageRequest, 'wanted' | 'models' | 'maxAgeS'>) {
    this.#plan = plan;
    this.#options = options;
  }

  async facts(): Promise<AccountFact[]> {
    const age = { start: pickAge, refresh: 0, known: longest }[this.#next];
    this.#next = 'known';
    try {
      this.#last = (await viewAccounts(this.#plan, { ...this.#options, maxAgeS: age })).facts;
    } catch (error) {
      // A slip in the person's settings may be about the opt-out: nothing new starts, and what runs goes on.
      if (!(error instanceof AgentKitError) || this.#last === undefined) throw error;
      return this.#last.map((fact) => without(fact, error.message));
    }
    return this.#last;
  }

  refresh(request: string): void {
    if (this.#refreshed.has(request)) return;
    this.#refreshed.add(request);
    this.#next = 'refresh';
  }
}

function without({ models: _, ...fact }: AccountFact, reason: string): AccountFact {
  return { ...fact, qualifies: false, unknown: false, headroom_pct: null, resets_at: null, reason };
}

/** Seconds; any reading will do, but for one whose window has been reset. */
const longest = Number.MAX_SAFE_INTEGER;

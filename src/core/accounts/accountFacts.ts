import type { AccountFact, ModelFact } from '../run/facts.ts';
import { formatAccount } from './account.ts';
import { isFull, type AccountUse } from './accountUse.ts';
import { rankAccounts } from './pickAccounts.ts';
import type { AccountReading } from './usage.ts';

interface FactsOptions {
  /** RFC 3339. */
  now: string;
  /** By `kind/@profile`: the writers that hold an account, and how many may. */
  use: ReadonlyMap<string, AccountUse>;
  /** Models of jobs, whose own windows count for them. */
  models?: readonly string[];
}

/** All accounts as a decision sees them, best first. What holds an account only marks it busy. */
export function accountFacts(readings: readonly AccountReading[], options: FactsOptions): AccountFact[] {
  const byModel = (options.models ?? []).map(
    (model) => [model, modelFacts(readings, options.now, model)] as const,
  );
  const byName = new Map(readings.map((reading) => [formatAccount(reading), reading]));
  return [...modelFacts(readings, options.now)].map(([account, fact]) => {
    const { kind = '', status, identity, limits, excluded } = byName.get(account) ?? {};
    const use = options.use.get(account) ?? { writers: 0, slots: 1 };
    return {
      account,
      kind,
      ...fact,
      busy: isFull(use),
      slots: use.slots,
      writers: isFull(use) ? use.slots : use.writers,
      unknown: status === 'unknown' && limits === undefined && excluded === undefined,
      ...(identity !== undefined && { identity }),
      ...(byModel.length > 0 && {
        models: Object.fromEntries(
          byModel.flatMap(([model, facts]) => {
            const own = facts.get(account);
            return own === undefined ? [] : [[model, own]];
          }),
        ),
      }),
    };
  });
}

function modelFacts(
  readings: readonly AccountReading[],
  now: string,
  model?: string,
): Map<string, ModelFact> {
  const request = model === undefined ? {} : { model };
  const { candidates, rejected } = rankAccounts(readings, new Set(), request, now);
  const sorted = rejected.toSorted((a, b) => (formatAccount(a) < formatAccount(b) ? -1 : 1));
  return new Map([
    ...candidates.map(({ account }): [string, ModelFact] => {
      const { headroom_pct, resets_at } = account;
      return [formatAccount(account), { headroom_pct, resets_at, qualifies: true }];
    }),
    ...sorted.map((each): [string, ModelFact] => {
      const { reason, resets_at = null } = each;
      return [formatAccount(each), { headroom_pct: null, resets_at, qualifies: false, reason }];
    }),
  ]);
}

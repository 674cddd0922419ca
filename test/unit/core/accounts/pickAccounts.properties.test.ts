import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pickAccounts } from '../../../../src/core/accounts/pickAccounts.ts';
import type { AccountReading } from '../../../../src/core/accounts/usage.ts';
import { hours, now, reading, usageWindow } from './readings.ts';

const reset = fc.oneof(fc.constant(null), fc.integer({ min: -3, max: 100 }).map(hours));
const free = fc.integer({ min: 0, max: 100 });
const windows = fc
  .uniqueArray(fc.constantFrom('5h', 'weekly', 'weekly:opus'), { maxLength: 3 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.tuple(free, reset).map(([pct, at]) => usageWindow(id, pct, at)))),
  );
const status = fc.constantFrom('ok', 'ok', 'ok', 'rate_limited', 'unknown', 'not_logged_in' as const);
const names = ['demo/@a', 'demo/@b', 'demo/@c', 'other/@a', 'other/@d'];
const readings = fc
  .uniqueArray(fc.constantFrom(...names), { maxLength: 5 })
  .chain((found) =>
    fc.tuple(
      ...found.map((name) =>
        fc.tuple(windows, status).map(([list, as]) => reading(name, list, { status: as })),
      ),
    ),
  );
const request = fc.record(
  {
    kind: fc.constantFrom('demo', 'other'),
    count: fc.integer({ min: 0, max: 6 }),
    model: fc.constantFrom('opus', 'sonnet'),
    need: fc.array(fc.record({ window: fc.constantFrom('5h', 'weekly'), pct: free }), { maxLength: 2 }),
    exclude: fc.array(fc.constantFrom('@a', '@b', 'other/@a', 'demo/@c')),
    reserve_pct: free,
  },
  { requiredKeys: [] },
);
const leased = fc.uniqueArray(fc.constantFrom(...names)).map((list) => new Set(list));

function accountNames(list: { kind: string; profile: string }[]): string[] {
  return list.map(({ kind, profile }) => `${kind}/${profile}`);
}

describe('pickAccounts, for all readings', () => {
  it('does not depend on their order', () => {
    const shuffled = readings.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, leased, request, ([list, other], taken, asked) => {
        assert.deepEqual(pickAccounts(other, taken, asked, now), pickAccounts(list, taken, asked, now));
      }),
    );
  });

  it('chooses only what is free, ok, not excluded, of the kind, at most count, each once', () => {
    fc.assert(
      fc.property(readings, leased, request, (list, taken, asked) => {
        const answer = pickAccounts(list, taken, asked, now);
        const found = accountNames(answer.chosen);
        assert.ok(found.length <= (asked.count ?? 1));
        assert.equal(
          new Set([...found, ...accountNames(answer.rejected)]).size,
          found.length + answer.rejected.length,
        );
        for (const { kind, profile, headroom_pct } of answer.chosen) {
          const name = `${kind}/${profile}`;
          assert.ok(!taken.has(name) && !asked.exclude?.some((out) => out === name || out === profile));
          assert.ok(headroom_pct > 0 && (asked.kind ?? kind) === kind);
          assert.equal(list.find((each) => each.kind === kind && each.profile === profile)?.status, 'ok');
        }
      }),
    );
  });

  it('keeps an account chosen when more of it is free, or another one is gone', () => {
    const raised = (each: AccountReading, by: number): AccountReading => ({
      ...each,
      windows: each.windows.map((window) => ({
        ...window,
        free_pct: Math.min(100, window.free_pct + by),
        used_pct: Math.max(0, window.used_pct - by),
      })),
    });
    fc.assert(
      fc.property(readings, leased, request, free, (list, taken, asked, by) => {
        const before = accountNames(pickAccounts(list, taken, asked, now).chosen);
        for (const name of before) {
          const better = list.map((each) =>
            `${each.kind}/${each.profile}` === name ? raised(each, by) : each,
          );
          assert.ok(accountNames(pickAccounts(better, taken, asked, now).chosen).includes(name));
          const fewer = list.filter((each, index) => index > 0 || `${each.kind}/${each.profile}` === name);
          assert.ok(accountNames(pickAccounts(fewer, taken, asked, now).chosen).includes(name));
        }
      }),
    );
  });

  it('chooses the same accounts first when more are asked for', () => {
    fc.assert(
      fc.property(readings, leased, request, (list, taken, asked) => {
        const few = pickAccounts(list, taken, { ...asked, count: 1 }, now).chosen;
        const many = pickAccounts(list, taken, { ...asked, count: 9 }, now).chosen;
        assert.deepEqual(many.slice(0, few.length), few);
      }),
    );
  });

  it('names the soonest reset that it tells, always one ahead', () => {
    fc.assert(
      fc.property(readings, leased, request, (list, taken, asked) => {
        const { next_reset_at, rejected } = pickAccounts(list, taken, asked, now);
        const times = rejected.flatMap(({ resets_at }) =>
          resets_at === undefined ? [] : Date.parse(resets_at),
        );
        assert.equal(next_reset_at === null ? Infinity : Date.parse(next_reset_at), Math.min(...times));
        assert.ok(times.every((time) => time > Date.parse(now)));
      }),
    );
  });
});

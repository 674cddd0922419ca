import assert from 'node:assert/strict';
import { isDue } from '../../../../src/core/accounts/isDue.ts';
import { pickAccounts } from '../../../../src/core/accounts/pickAccounts.ts';
import { toReading } from '../../../../src/core/accounts/toReading.ts';
import {
  afterAnswer,
  afterRun,
  cleanWindows,
  type UsageEntry,
} from '../../../../src/core/accounts/usageEntry.ts';
import { hours, now, usageWindow } from './readings.ts';

const account = { kind: 'claude', profile: '@a', default: false, excluded: false };
const told = (entry: UsageEntry, at = now) => toReading(account, entry, new Date(at));
const ok = (...windows: ReturnType<typeof usageWindow>[]) => ({ status: 'ok' as const, windows });
const first = afterAnswer(undefined, ok(usageWindow('5h', 60), usageWindow('weekly', 80)), now, 'me');

describe('cleanWindows', () => {
  it('keeps shares between 0 and 100 and leaves out what has none', () => {
    const clean = cleanWindows([
      { ...usageWindow('5h', 0), used_pct: 140, free_pct: -40 },
      { ...usageWindow('weekly', 0), used_pct: NaN },
      { ...usageWindow('daily', 50), resets_at: 'soon' },
    ]);
    assert.deepEqual(
      clean.map(({ id, used_pct, free_pct, resets_at }) => [id, used_pct, free_pct, resets_at]),
      [
        ['5h', 100, 0, hours(2)],
        ['daily', 50, 50, null],
      ],
    );
  });

  it('takes a window that is told twice once, as it was told last', () => {
    assert.deepEqual(cleanWindows([usageWindow('5h', 1), usageWindow('5h', 2)]), [usageWindow('5h', 2)]);
  });
});

describe('afterAnswer', () => {
  it('keeps the last good numbers, with their time, when nothing could be read', () => {
    const failed = afterAnswer(first, { status: 'unknown', reason: '429', windows: [] }, hours(1));
    assert.deepEqual(
      [failed.status, failed.reason, failed.read_at, failed.asked_at, failed.windows, failed.identity],
      ['unknown', '429', now, hours(1), first.windows, 'me'],
    );
  });

  it('keeps them too when the login is gone, and drops them when somebody reads anew', () => {
    const gone = { status: 'not_logged_in' as const, reason: 'log in with: x', windows: [] };
    const out = afterAnswer(first, gone, hours(1));
    assert.deepEqual([out.status, out.windows, out.read_at], ['not_logged_in', first.windows, now]);
    assert.equal(told(out, hours(1)).age_s, 3600);
    const back = afterAnswer(out, ok(usageWindow('5h', 5)), hours(2));
    assert.deepEqual([back.status, back.windows.length, back.read_at], ['ok', 1, hours(2)]);
  });

  it('keeps nothing of another login', () => {
    const other = afterAnswer(first, { status: 'unknown', reason: '429', windows: [] }, hours(1), 'you');
    assert.deepEqual([other.read_at, other.windows, other.identity], [null, [], 'you']);
    const limited = afterRun(first, { limit: {} }, hours(1));
    assert.equal(afterAnswer(limited, ok(), hours(2), 'you').limits, undefined);
    assert.equal(afterAnswer(limited, ok(), hours(2), 'me').limits?.length, 1);
  });

  it('believes a vendor’s own time only when it is not ahead of ours', () => {
    assert.equal(afterAnswer(undefined, { ...ok(), read_at: hours(-1) }, now).read_at, hours(-1));
    assert.equal(afterAnswer(undefined, { ...ok(), read_at: hours(9) }, now).read_at, now);
  });
});

describe('afterRun', () => {
  it('takes each window by itself, with its own age', () => {
    const after = afterRun(first, { windows: [usageWindow('5h', 10)] }, hours(1));
    const reading = told(after, hours(1));
    assert.deepEqual(
      reading.windows.map(({ id, free_pct, read_at }) => [id, free_pct, read_at]),
      [
        ['weekly', 80, undefined],
        ['5h', 10, hours(1)],
      ],
    );
    assert.equal(reading.age_s, 3600, 'as old as its oldest window');
  });

  it('is a whole reading when it tells every window, so nobody need be asked', () => {
    const windows = [usageWindow('5h', 10), usageWindow('weekly', 70)];
    const after = afterRun(first, { windows }, hours(1));
    assert.equal(told(after, hours(1)).age_s, 0);
    assert.equal(isDue(after, { now: Date.parse(hours(1)) + 200_000, maxAgeS: 300 }), false);
    assert.equal(isDue(first, { now: Date.parse(hours(1)) + 200_000, maxAgeS: 300 }), true);
  });

  it('does not let a run that ended earlier overwrite what was read since', () => {
    assert.deepEqual(afterRun(first, { windows: [usageWindow('5h', 99)] }, hours(-1)).windows, first.windows);
  });

  it('makes an account known that could not be read', () => {
    const failed = afterAnswer(first, { status: 'unknown', reason: '429', windows: [] }, hours(1));
    const reading = told(afterRun(failed, { windows: [usageWindow('5h', 50)] }, hours(1)));
    assert.deepEqual([reading.status, reading.reason], ['ok', undefined]);
  });
});

describe('a limit that a run met', () => {
  const limited = afterRun(first, { limit: { window: '5h', resets_at: hours(3) } }, hours(1));

  it('benches the account until it ends', () => {
    const reading = told(limited, hours(2));
    assert.equal(reading.status, 'rate_limited');
    assert.match(reading.reason ?? '', /a run reached its 5h limit; it ends at 2026-03-01T15/);
    assert.deepEqual(reading.limits, [{ window: '5h', resets_at: hours(3) }]);
    const after = told(limited, hours(3));
    assert.deepEqual([after.status, after.limits], ['ok', undefined]);
  });

  it('stays while readings show the same numbers, no room or nothing', () => {
    const same = afterAnswer(limited, ok(usageWindow('5h', 60), usageWindow('weekly', 80)), hours(2));
    const full = afterAnswer(limited, ok(usageWindow('5h', 0.4)), hours(2));
    const failed = afterAnswer(limited, { status: 'unknown', reason: '429', windows: [] }, hours(2));
    const older = afterAnswer(limited, { ...ok(usageWindow('5h', 99)), read_at: hours(0.5) }, hours(2));
    for (const entry of [same, full, failed, older]) assert.equal(entry.limits?.length, 1);
  });

  it('ends with a newer reading that shows room, whatever its deadline', () => {
    const early = afterAnswer(limited, ok(usageWindow('5h', 100, hours(7))), hours(2));
    assert.deepEqual([early.limits, told(early, hours(2)).status], [undefined, 'ok']);
    const passive = afterRun(limited, { windows: [usageWindow('5h', 90, hours(7))] }, hours(2));
    assert.equal(passive.limits, undefined);
  });

  it('lasts no longer than its window where nobody says when it ends', () => {
    const empty = afterAnswer(undefined, ok(), now);
    for (const [limit, end] of [
      [{ resets_at: 'tomorrow' }, 5],
      [{ window: '5h' }, 5],
      [{ window: 'daily' }, 12],
      [{ window: 'weekly' }, 7 * 24],
      [{ window: 'weekly:opus' }, 7 * 24],
      [{ window: 'monthly' }, 5],
    ] as const) {
      const open = afterRun(empty, { limit }, now);
      assert.equal(told(open, hours(end - 0.1)).limits?.length, 1, JSON.stringify(limit));
      assert.equal(told(open, hours(end)).limits, undefined, JSON.stringify(limit));
    }
    const month = { ...usageWindow('monthly', 0, null), seconds: 30 * 86_400 };
    const open = afterRun(empty, { windows: [month], limit: { window: 'monthly' } }, now);
    assert.equal(told(open, hours(29 * 24)).limits?.length, 1);
    assert.match(told(open, hours(1)).reason ?? '', /its end is not known/);
  });

  it('without a known end goes when a person wants to know, unless the answer shows it', () => {
    const unread = { status: 'unknown' as const, reason: 'it tells nobody', windows: [] };
    const open = afterRun(first, { limit: {} }, hours(1));
    assert.equal(afterAnswer(open, unread, hours(2)).limits?.length, 1, 'by itself');
    assert.equal(afterAnswer(open, unread, hours(2), 'me', true).limits?.length, 1, 'a reading that failed');
    const mute = afterRun(afterAnswer(undefined, unread, now, 'me'), { limit: {} }, hours(1));
    assert.equal(afterAnswer(mute, unread, hours(2), 'me', true).limits, undefined, 'it never tells more');
    const roomy = ok(usageWindow('5h', 60), usageWindow('weekly', 80));
    assert.equal(afterAnswer(open, roomy, hours(2), 'me', true).limits, undefined);
    const full = ok(usageWindow('5h', 0.4));
    assert.equal(afterAnswer(open, full, hours(2), 'me', true).limits?.length, 1);
    assert.equal(afterAnswer(limited, unread, hours(2), 'me', true).limits?.length, 1, 'its end is known');
  });

  it('ends with its window where the vendor named that, or else with those that are used up', () => {
    const ends = (entry: UsageEntry) => told(entry, hours(1)).limits?.map(({ resets_at }) => resets_at);
    assert.deepEqual(ends(afterRun(first, { limit: { window: '5h' } }, now)), [hours(2)]);
    assert.deepEqual(ends(afterRun(first, { limit: {} }, now)), [undefined]);
    const full = [usageWindow('5h', 0, hours(3)), usageWindow('weekly', 0.2, hours(9))];
    assert.deepEqual(ends(afterRun(first, { windows: full, limit: {} }, now)), [hours(9)]);
  });

  it('is timed by one reading where nobody said when it ends', () => {
    const when = { maxAgeS: 1e9, now: Date.parse(hours(1.5)) };
    const open = afterRun(first, { limit: { window: '5h' } }, hours(1));
    assert.equal(isDue(open, when), true);
    assert.equal(isDue(limited, when), false);
    const read = afterAnswer(open, { status: 'unknown', reason: '429', windows: [] }, hours(1.2));
    assert.equal(isDue(read, when), false, 'and no more than one');
  });

  it('of one model’s window leaves the account ok', () => {
    const opus = afterRun(first, { limit: { window: 'weekly:opus', resets_at: hours(9) } }, now);
    const reading = told(opus);
    assert.deepEqual([reading.status, reading.limits?.length], ['ok', 1]);
  });

  it('of one model counts for that model and for jobs that name what its run named', () => {
    const chosen = (entry: UsageEntry, model?: string) => {
      const request = model === undefined ? {} : { model };
      return pickAccounts([told(entry)], new Set(), request, now).chosen.length === 1;
    };
    const limit = { window: 'weekly:opus', resets_at: hours(9) };
    const unnamed = afterRun(first, { limit }, now);
    assert.deepEqual(
      [chosen(unnamed), chosen(unnamed, 'opus'), chosen(unnamed, 'haiku')],
      [false, false, true],
    );
    const named = afterRun(first, { limit, model: 'best' }, now);
    assert.deepEqual([chosen(named), chosen(named, 'opus'), chosen(named, 'best')], [true, false, false]);
    const bySay = afterRun(first, { limit: { window: 'daily', one_model: true }, model: 'pro' }, now);
    assert.deepEqual([chosen(bySay), chosen(bySay, 'pro'), chosen(bySay, 'flash')], [true, false, true]);
    const whole = afterRun(first, { limit: { window: 'daily' }, model: 'pro' }, now);
    assert.deepEqual([chosen(whole), chosen(whole, 'flash')], [false, false]);
  });
});

describe('isDue', () => {
  const at = (time: string) => Date.parse(time);

  it('asks once more after a reset, and only once', () => {
    const known = { maxAgeS: 1e9 };
    assert.equal(isDue(first, { ...known, now: at(hours(2)) - 1 }), false);
    assert.equal(isDue(first, { ...known, now: at(hours(2)) }), true);
    const again = afterAnswer(first, ok(usageWindow('5h', 60, hours(2))), hours(2.5));
    assert.equal(
      isDue(again, { ...known, now: at(hours(3)) }),
      false,
      'the vendor still tells the old reset',
    );
  });

  it('asks for the window of a model only when that model is meant', () => {
    const entry = afterAnswer(undefined, ok(usageWindow('weekly:opus', 5, hours(1))), now);
    const when = { maxAgeS: 1e9, now: at(hours(2)) };
    assert.equal(isDue(entry, when), false);
    assert.equal(isDue(entry, { ...when, models: ['sonnet'] }), false);
    assert.equal(isDue(entry, { ...when, models: ['claude-opus-5-5'] }), true);
  });

  it('does not believe a reading from the future', () => {
    assert.equal(isDue(first, { maxAgeS: 1e9, now: at(hours(-1)) }), true);
  });

  describe('after the clock was set back', () => {
    const back = hours(-24);
    const age = { maxAgeS: 1e9, now: at(back) };
    const limited = afterRun(first, { limit: {} }, now);
    const told = { ...first, windows: first.windows.map((each) => ({ ...each, read_at: hours(1) })) };

    const entries: [string, UsageEntry][] = [
      ['a reading', first],
      ['a limit', limited],
      ['a window', told],
      ['a limit alone', { ...first, asked_at: back, read_at: back, limits: [{ at: now }] }],
    ];
    for (const [what, entry] of entries)
      for (const answer of [ok(...first.windows), { status: 'unknown' as const, windows: [] }])
        it(`asks once about ${what} from the future, and no more when that is ${answer.status}`, () => {
          assert.equal(isDue(entry, age), true);
          const after = afterAnswer(entry, answer, back);
          for (const later of [0, 10, 600])
            assert.equal(isDue(after, { ...age, now: at(back) + later * 1000 }), false);
          assert.equal(after.windows.length, 2);
          assert.equal(after.limits?.length, entry.limits?.length, 'the same numbers contradict no limit');
        });

    it('asks again when a window is reset', () => {
      const entry = afterAnswer(told, { status: 'unknown', windows: [] }, back);
      assert.equal(isDue(entry, { maxAgeS: 1e9, now: at(hours(2)) }), true);
    });
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseResetText } from '../../../../src/core/accounts/parseResetText.ts';

const now = Date.parse('2026-11-30T01:14:52Z');
const read = (text: string, at: string | number = now) =>
  parseResetText(text, typeof at === 'number' ? at : Date.parse(at));

describe('parseResetText', function () {
  this.timeout(60_000);

  for (const [text, at] of [
    ["You've hit your 5-hour limit · resets 3:42am (UTC)", '2026-11-30T03:42:00.000Z'],
    ["You've hit your weekly limit · resets Dec 3, 1:02pm (UTC)", '2026-12-03T13:02:00.000Z'],
    ['Current session: 100% used · resets Nov 30, 5am (UTC)', '2026-11-30T05:00:00.000Z'],
    ['resets 12am (UTC)', '2026-12-01T00:00:00.000Z'],
    ['resets 12pm (UTC)', '2026-11-30T12:00:00.000Z'],
    ['resets 1am (UTC)', '2026-12-01T01:00:00.000Z'],
    ['resets 9pm (America/New_York)', '2026-11-30T02:00:00.000Z'],
    ['resets 8pm (America/New_York)', '2026-12-01T01:00:00.000Z'],
    ['resets 6:44am (Asia/Kolkata)', '2026-12-01T01:14:00.000Z'],
    ['resets 6:45am (Asia/Kolkata)', '2026-11-30T01:15:00.000Z'],
    ['try again at Dec 3rd, 2026 1:11 PM (Europe/Berlin)', '2026-12-03T12:11:00.000Z'],
    ['resets Jan 2, 9am (UTC)', '2027-01-02T09:00:00.000Z'],
  ] as const) {
    it(`reads "${text}"`, () => assert.deepEqual(read(text), { at }));
  }

  for (const [why, text] of [
    ['has no zone', 'try again at 3:51 AM.'],
    ['has no zone, but a date', 'try again at Dec 3rd, 2026 1:11 PM.'],
    ['has a zone that is none', 'resets 3am (Mars/Olympus)'],
    ['has letters that several zones go by', 'resets 3am (CST)'],
    ['has an hour that no such clock shows', 'resets 13am (UTC)'],
    ['has no hour', 'resets 0:30am (UTC)'],
    ['has a minute that is none', 'resets 3:60am (UTC)'],
    ['has a date that is in no calendar', 'resets Feb 30, 3am (UTC)'],
    ['has a month that is none', 'resets Foo 3, 3am (UTC)'],
    ['has passed, with its year', 'resets Nov 29, 2026 3am (UTC)'],
    ['has passed by now, which does not mean next year', 'resets Nov 29, 3am (UTC)'],
    ['tells no reset', 'it was 3am (UTC)'],
    ['is empty', ''],
  ] as const) {
    it(`knows nothing of a text that ${why}`, () => assert.equal(read(text), undefined));
  }

  it('takes the later one of a time that comes twice, and says so', () => {
    const berlin = (at: string) => read('resets 2:30am (Europe/Berlin)', at);
    const twice = { at: '2026-10-25T01:30:00.000Z', doubt: 'double' };
    assert.deepEqual(berlin('2026-10-24T20:00:00Z'), twice);
    assert.deepEqual(berlin('2026-10-25T00:45:00Z'), twice, 'between the two');
    assert.deepEqual(berlin('2026-10-25T01:45:00Z'), { at: '2026-10-26T01:30:00.000Z' });
  });

  it('takes the time after the gap for one that falls into it, and says so', () => {
    assert.deepEqual(read('resets 2:30am (Europe/Berlin)', '2026-03-28T20:00:00Z'), {
      at: '2026-03-29T01:30:00.000Z',
      doubt: 'gap',
    });
    assert.deepEqual(read('resets Mar 8, 2:30am (America/New_York)', '2026-03-07T20:00:00Z'), {
      at: '2026-03-08T07:30:00.000Z',
      doubt: 'gap',
    });
    const halfHour = read('resets Oct 4, 2:15am (Australia/Lord_Howe)', '2026-10-03T00:00:00Z');
    assert.deepEqual(halfHour, { at: '2026-10-03T15:45:00.000Z', doubt: 'gap' });
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ];
  /** Changes of clocks, to begin near: that is where it goes wrong. */
  const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'];
  const moments = fc.oneof(
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2030-01-01') }),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -3 * 86_400_000, max: 2 * 86_400_000 }))
      .map(([change, by]) => Date.parse(change) + by),
  );
  /** What a clock of the zone shows, without our code. */
  const clock = (ms: number, timeZone: string) =>
    new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', hour12: true })
      .format(ms)
      .replace(/\s/u, '')
      .toLowerCase();

  it('finds the next time that a clock of the zone shows it, wherever that is, and never one that has passed', () => {
    const minutes = fc.integer({ min: 1, max: 22 * 60 });
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), minutes, (at, zone, ahead) => {
        const target = Math.floor(at / 60_000) * 60_000 + ahead * 60_000;
        const found = read(`resets ${clock(target, zone)} (${zone})`, at);
        assert.ok(found);
        const time = Date.parse(found.at);
        assert.ok(time > at, `${found.at} has passed`);
        if (found.doubt === 'double') assert.ok(time >= target && time - target <= 3_600_000);
        else assert.equal(found.at, new Date(target).toISOString());
        assert.equal(clock(time, zone), clock(target, zone));
      }),
      { numRuns: 500 },
    );
  });

  it('gives for every clock time a time within two days, or flags that there is none', () => {
    const hours = fc.integer({ min: 1, max: 12 });
    const minutes = fc.integer({ min: 0, max: 59 });
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom(...zones),
        hours,
        minutes,
        fc.boolean(),
        (at, zone, hour, minute, pm) => {
          const shown = `${hour}:${String(minute).padStart(2, '0')}${pm ? 'pm' : 'am'}`;
          const found = read(`resets ${shown} (${zone})`, at);
          assert.ok(found);
          const time = Date.parse(found.at);
          assert.ok(time > at && time - at <= 50 * 3_600_000, found.at);
          assert.equal(clock(time, zone) === shown, found.doubt !== 'gap');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), fc.integer({ min: 0, max: 4e12 }), (text, at) => void read(text, at)));
  });
});

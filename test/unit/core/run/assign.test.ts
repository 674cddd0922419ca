import assert from 'node:assert/strict';
import type { Job } from '../../../../src/core/plan/plan.ts';
import { assign, type Assignment } from '../../../../src/core/run/assign.ts';
import type { AccountFact } from '../../../../src/core/run/facts.ts';
import { account, job } from './samples.ts';

const one = account('demo/@one');
const two = account('demo/@two');
const reset = '2026-03-02T12:00:00.000Z';
const later = '2026-03-02T15:00:00.000Z';

function given(
  jobs: Job[],
  accounts: AccountFact[],
  more: { slots?: number; pool?: string[] } = {},
): string[] {
  const pool = more.pool === undefined ? {} : { accounts: more.pool };
  return assign(jobs, pool, accounts, more.slots ?? Infinity).map(told);
}

function told(assignment: Assignment): string {
  if ('account' in assignment) return assignment.account.account;
  return 'waits' in assignment ? assignment.waits : assignment.blocked;
}

const jobs = [job('a'), job('b'), job('c')];
const inUse = (count: number) => `waits for a free account (${count} in use)`;

describe('assign', () => {
  it('gives one account to one writer, the best first, in the order of the plan', () => {
    assert.deepEqual(given(jobs, [one, two]), ['demo/@one', 'demo/@two', inUse(2)]);
  });

  it('passes over an account that is in use', () => {
    assert.deepEqual(given(jobs.slice(0, 1), [{ ...one, busy: true }, two]), ['demo/@two']);
    assert.deepEqual(given(jobs.slice(0, 1), [{ ...one, busy: true }]), [inUse(1)]);
  });

  it('gives no more than there are places', () => {
    const full = 'waits for a free place: the plan allows no more writers at once';
    assert.deepEqual(given(jobs, [one, two], { slots: 1 }), ['demo/@one', full, full]);
    assert.deepEqual(given(jobs.slice(0, 1), [one], { slots: 0 }), [full]);
  });

  it('takes only accounts of the pool and of the kind', () => {
    const other = account('other/@one');
    assert.deepEqual(given(jobs.slice(0, 2), [other, one, two], { pool: ['demo/@two'] }), [
      'demo/@two',
      inUse(1),
    ]);
    assert.deepEqual(given([job('a', { kind: 'other' })], [one, other]), ['other/@one']);
  });

  it('gives a job the account that it names, and no other', () => {
    const named = job('a', { account: 'demo/@two' });
    assert.deepEqual(given([named], [one, two]), ['demo/@two']);
    assert.deepEqual(given([named], [one, { ...two, busy: true }]), [inUse(1)]);
  });

  it('uses an account of which nothing is known only when it is named', () => {
    const unknown = account('demo/@one', { qualifies: false, unknown: true, reason: 'unknown: no answer' });
    assert.match(given([job('a')], [unknown])[0] ?? '', /No account of kind demo qualifies .*no answer/);
    assert.deepEqual(given([job('a', { account: 'demo/@one' })], [unknown]), ['demo/@one']);
  });

  it('uses no account without room, not even when it is named, and names the soonest reset', () => {
    const full = (name: string, resets_at: string | null) =>
      account(name, { qualifies: false, reason: 'window 5h has 0 % free', resets_at });
    const used = [full('demo/@one', later), full('demo/@two', reset), full('demo/@three', null)];
    const [assignment] = assign([job('a')], {}, used, 9);
    assert.ok(assignment && 'blocked' in assignment);
    assert.equal(assignment.next_reset_at, reset);
    assert.match(
      assignment.blocked,
      /demo\/@one: window 5h has 0 % free; .*the soonest reset is 2026-03-02T12/,
    );
    assert.match(given([job('a', { account: 'demo/@three' })], used)[0] ?? '', /no reset is known\.$/);
  });

  it('takes two profiles of one login for one account', () => {
    const twins = [account('demo/@one', { identity: 'me' }), account('demo/@two', { identity: 'me' })];
    assert.deepEqual(given(jobs.slice(0, 2), twins), ['demo/@one', inUse(2)]);
    const named = [job('a'), job('b', { account: 'demo/@two' })];
    assert.deepEqual(given(named, twins), ['demo/@one', inUse(1)]);
    assert.deepEqual(given(named, [one, two]), ['demo/@one', 'demo/@two']);
  });

  it('gives as many writers as an account has slots', () => {
    const wide = { ...one, slots: 2, writers: 0 };
    assert.deepEqual(given(jobs, [wide]), ['demo/@one', 'demo/@one', inUse(1)]);
    assert.deepEqual(given(jobs.slice(0, 2), [{ ...wide, writers: 1 }]), ['demo/@one', inUse(1)]);
  });

  it('counts the windows of a job’s model for that job only', () => {
    const none = {
      headroom_pct: null,
      resets_at: later,
      qualifies: false,
      reason: 'window weekly:opus is full',
    };
    const accounts = [
      { ...one, models: { opus: none } },
      { ...two, headroom_pct: 20, models: { opus: { headroom_pct: 5, resets_at: null, qualifies: true } } },
    ];
    assert.deepEqual(given([job('a', { model: 'opus' }), job('b')], accounts), ['demo/@two', 'demo/@one']);
    const [blocked] = given([job('a', { model: 'opus' })], accounts.slice(0, 1));
    assert.match(blocked ?? '', /window weekly:opus is full/);
  });

  it('compares names of accounts without case', () => {
    assert.deepEqual(given([job('a', { account: 'demo/@ONE' })], [one, two]), ['demo/@one']);
    assert.deepEqual(given([job('a')], [one, two], { pool: ['demo/@Two'] }), ['demo/@two']);
  });

  it('says how to get an account where there is none', () => {
    const cure = 'There is no account of kind demo. Add one: ak profiles add demo @one';
    assert.deepEqual(given([job('a')], []), [cure]);
    assert.match(given([job('a', { account: 'demo/@x' })], [one])[0] ?? '', /ak profiles add demo @x$/);
  });
});

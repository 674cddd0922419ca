import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parsePlan } from '../../../src/core/plan/parsePlan.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { AccountDesk } from '../../../src/engine/accounts/accountDesk.ts';
import { recordRun } from '../../../src/engine/accounts/recordRun.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { CountingKind, dawn, fiveHours } from './countingKind.ts';

const hour = 3_600_000;

describe('when vendors are asked for quota', function () {
  this.timeout(30_000);
  let root = '';
  let environment: Record<string, string> = {};
  let clock = dawn;
  let vendor = new CountingKind();
  let other = new CountingKind('other');
  let desk: AccountDesk;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "agentkit readings' ü "));
    environment = { HOME: root };
    clock = dawn;
    vendor = new CountingKind();
    other = new CountingKind('other');
    await vendor.add(environment, '@a', '@b');
    await other.add(environment, '@x');
    desk = vendor.desk(environment, () => new Date(clock), other);
    vendor.answer = () => ({ status: 'ok', windows: [fiveHours(20)] });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function plan(jobs: object[], more: object = {}): Plan {
    const text = JSON.stringify({
      version: 1,
      name: 'p',
      jobs: jobs.map((job, index) => ({ id: `j${index}`, prompt: 'x', ...job })),
      ...more,
    });
    const parsed = parsePlan(text);
    if ('problems' in parsed) throw new Error(parsed.problems[0]?.message);
    return parsed.plan;
  }
  const cacheFile = () => join(root, '.local/state/agentkit/usage.json');
  const exclude = (name: string) => desk.setAccount(name, { exclude: true });

  it('not for a preview, which hopes for what a start would read first', async () => {
    const one = plan([{ kind: 'remote' }]);
    const { readings, facts } = await desk.preview(one);
    assert.deepEqual(vendor.asked, []);
    assert.deepEqual(
      readings.map(({ profile, status, read_at }) => [profile, status, read_at]),
      [
        ['@a', 'unknown', null],
        ['@b', 'unknown', null],
      ],
    );
    assert.deepEqual(
      facts.map(({ account, qualifies, headroom_pct }) => [account, qualifies, headroom_pct]),
      [
        ['remote/@a', true, null],
        ['remote/@b', true, null],
      ],
    );
    vendor.answer = () => ({ status: 'unknown', reason: '429', windows: [] });
    await desk.survey(one);
    assert.equal(
      (await desk.preview(one)).facts.every(({ qualifies }) => qualifies),
      false,
      'it was asked',
    );
  });

  it('once at a start for each account that its plan may use, and for no other', async () => {
    await desk.survey(plan([{ account: 'remote/@b' }, { kind: 'other' }], { accounts: ['other/@x'] }));
    assert.deepEqual([vendor.asked, other.asked], [['@b'], ['@x']]);
    await desk.survey(plan([{ kind: 'remote' }]));
    assert.deepEqual(vendor.asked, ['@b', '@a'], 'what was just read is not read again');
  });

  it('not about an account that the person excluded, under whatever name of its login', async () => {
    vendor.probe = () => ({ version: '1', login: 'ok', identity: 'me' });
    await exclude('remote/@a');
    const readings = await desk.read({ kind: 'remote' });
    assert.deepEqual(vendor.asked, []);
    assert.ok(readings.every(({ excluded }) => excluded === true));
    const { chosen, rejected } = await desk.pick({ kind: 'remote' });
    assert.deepEqual(chosen, []);
    assert.match(rejected[1]?.reason ?? '', /excluded by your settings/);
    assert.deepEqual(vendor.probed.splice(0).toSorted(), ['@a', '@b']);
    const source = desk.source(plan([{ account: 'remote/@b' }]));
    for (let look = 0; look < 3; look += 1) assert.equal((await source.facts())[0]?.qualifies, false);
    assert.deepEqual([vendor.asked, vendor.probed], [[], []], 'nobody asks again and again');
    await desk.setAccount('remote/@a', { exclude: false });
    assert.equal((await desk.pick({ kind: 'remote' })).chosen.length, 1);
    assert.deepEqual(vendor.asked, ['@a']);
  });

  it('not about an excluded account whose CLI does not say who it is', async () => {
    vendor.probe = () => ({ version: '1', login: 'ok' });
    await exclude('remote/@a');
    await desk.read({ kind: 'remote' });
    assert.deepEqual(vendor.asked, ['@b']);
  });

  it('once more when a window has passed its reset, which is unknown until then', async () => {
    vendor.answer = () => ({ status: 'ok', windows: [fiveHours(20, clock + hour)] });
    const source = desk.source(plan([{ account: 'remote/@a' }]));
    assert.equal((await source.facts())[0]?.headroom_pct, 80);
    clock += hour - 1;
    await source.facts();
    assert.equal(vendor.asked.length, 1);
    clock += 1;
    vendor.answer = () => ({ status: 'unknown', reason: '429', windows: [] });
    const [unknown] = await source.facts();
    assert.deepEqual([unknown?.qualifies, unknown?.headroom_pct], [false, null]);
    for (let look = 0; look < 20; look += 1) await source.facts();
    assert.equal(vendor.asked.length, 2);
  });

  it('again when the person has something tried again, once for each time', async () => {
    const source = desk.source(plan([{ account: 'remote/@a' }]));
    await source.facts();
    for (let look = 0; look < 3; look += 1) {
      clock += 1000;
      source.refresh('request-1');
      assert.equal((await source.facts())[0]?.qualifies, true);
    }
    assert.equal(vendor.asked.length, 2);
  });

  it('and is told as out of use while the person’s settings cannot be read', async () => {
    const source = desk.source(plan([{ account: 'remote/@a' }]));
    const settings = join(root, '.config/agentkit/settings.yaml');
    await exclude('remote/@b');
    assert.equal((await source.facts())[0]?.qualifies, true);
    writeFileSync(settings, 'permissions: aks\n');
    const [fact] = await source.facts();
    assert.deepEqual([fact?.qualifies, fact?.unknown], [false, false]);
    assert.match(fact?.reason ?? '', /settings\.yaml:1:14 permissions/);
    writeFileSync(settings, 'permissions: ask\n');
    assert.equal((await source.facts())[0]?.qualifies, true);
    writeFileSync(settings, '[');
    await rejectsWith(desk.source(plan([{ kind: 'remote' }])).facts(), 'invalid_input', 'settings.yaml:1:2');
  });

  it('once for two profiles of one login, which are one account', async () => {
    vendor.probe = () => ({ version: '1', login: 'ok', identity: 'me@example.invalid' });
    const [a, b] = await desk.read({ kind: 'remote' });
    assert.deepEqual(vendor.asked, ['@a']);
    assert.deepEqual([a?.windows, a?.identity, a?.read_at], [b?.windows, b?.identity, b?.read_at]);
    assert.doesNotMatch(readFileSync(cacheFile(), 'utf8'), /example/);
    const both = await desk.pick({ kind: 'remote', count: 2 });
    assert.deepEqual(
      [both.chosen, both.rejected].map((list) => list.map(({ profile }) => profile)),
      [['@a'], ['@b']],
    );
    assert.equal(both.rejected[0]?.reason, 'the same login as remote/@a');
    const none = await desk.pick({ kind: 'remote', exclude: ['@a'] });
    assert.deepEqual(none.chosen, []);
    assert.equal(none.rejected[1]?.reason, 'excluded: the same login as remote/@a');
    await desk.lease('remote/@a', { owner: 'me', ttlS: 60 });
    const held = await desk.pick({ kind: 'remote' });
    assert.match(held.rejected.map(({ reason }) => reason).join(), /leased.*leased/);
    vendor.probe = (name) => ({ version: '1', login: 'ok', identity: name });
    clock += hour;
    await desk.read({ kind: 'remote' });
    assert.deepEqual(vendor.asked, ['@a', '@a', '@b'], 'two logins are two accounts');
    assert.equal((await desk.pick({ kind: 'remote', exclude: ['@a'] })).chosen.length, 1);
  });

  it('not when another profile of the login was just read', async () => {
    vendor.probe = () => ({ version: '1', login: 'ok', identity: 'me' });
    await desk.survey(plan([{ account: 'remote/@b' }]));
    await desk.survey(plan([{ account: 'remote/@a' }]));
    assert.deepEqual(vendor.asked, ['@b']);
    clock += hour;
    await desk.survey(plan([{ kind: 'remote' }]));
    assert.deepEqual(vendor.asked, ['@b', '@a']);
  });

  it('not when its CLI says that there is nobody to ask for', async () => {
    vendor.probe = (name) =>
      name === '@a'
        ? { version: '1', login: 'not_logged_in', problem: 'log in with: vendor login' }
        : { version: null, login: 'unknown', problem: 'not installed' };
    const [a, b] = await desk.read({ kind: 'remote' });
    assert.deepEqual(vendor.asked, []);
    assert.deepEqual([a?.status, a?.reason], ['not_logged_in', 'log in with: vendor login']);
    assert.deepEqual([b?.status, b?.reason], ['unknown', 'not installed']);
  });

  it('each by itself: what one could not read leaves the others as they are', async () => {
    vendor.answer = (name) => {
      if (name === '@a') throw new Error('HTTP 429');
      return { status: 'ok', windows: [fiveHours(20)] };
    };
    const [a, b] = await desk.read({ kind: 'remote' });
    assert.deepEqual([a?.status, a?.reason], ['unknown', 'HTTP 429']);
    assert.deepEqual([b?.status, b?.reason], ['ok', undefined]);
  });

  it('once for two readers at the same time', async () => {
    vendor.answer = async () => {
      await wait(100);
      return { status: 'ok', windows: [fiveHours(20)] };
    };
    const second = vendor.desk(environment, () => new Date(clock), other);
    await Promise.all([desk.read({ kind: 'remote' }), second.pick({ kind: 'remote' })]);
    assert.deepEqual(vendor.asked.toSorted(), ['@a', '@b']);
  });

  it('not for what a run of ours tells, also while somebody reads', async () => {
    await desk.read({ kind: 'remote' });
    const signals = { windows: [fiveHours(90)], ended_at: new Date(clock + 1000).toISOString() };
    clock += hour;
    vendor.answer = async (name) => {
      if (name === '@a') await recordRun(environment, 'remote/@B', signals);
      return { status: 'unknown', reason: '429', windows: [] };
    };
    await desk.read({ kind: 'remote' });
    const [, b] = await desk.read({ kind: 'remote', maxAgeS: Infinity });
    assert.equal(b?.windows[0]?.used_pct, 90);
    assert.equal(vendor.asked.length, 4);
  });

  it('not for a refusal of a run: of its bill under every profile of the login, of a login under its own', async () => {
    vendor.probe = () => ({ version: '1', login: 'ok', identity: 'me' });
    const after = async (reason: 'not_logged_in' | 'billing' | 'throttled') => {
      clock += hour;
      await desk.read({ kind: 'remote', maxAgeS: 0 });
      const ended_at = new Date(clock).toISOString();
      await recordRun(environment, 'remote/@a', { refused: { reason, message: 'No.' }, ended_at });
      return (await desk.read({ kind: 'remote' })).map(({ status }) => status);
    };
    assert.deepEqual(await after('not_logged_in'), ['not_logged_in', 'ok']);
    assert.deepEqual(await after('billing'), ['unknown', 'unknown']);
    assert.deepEqual(await after('throttled'), ['ok', 'ok']);
    assert.deepEqual(vendor.asked, ['@a', '@a', '@a'], 'one request each time');
  });

  it('with an answer of any shape kept to what can be shown', async () => {
    vendor.answer = () => ({
      status: 'ok',
      windows: [
        { ...fiveHours(0), used_pct: 250, free_pct: -150 },
        { ...fiveHours(0), id: 'nothing', used_pct: null as never },
        { ...fiveHours(50), id: 'daily:new', resets_at: 'never' },
      ],
    });
    const [a] = await desk.read({ kind: 'remote' });
    assert.deepEqual(
      a?.windows.map(({ id, used_pct, free_pct, resets_at }) => [id, used_pct, free_pct, resets_at]),
      [
        ['5h', 100, 0, null],
        ['daily:new', 50, 50, null],
      ],
    );
  });

  it('anew where the cache is damaged, of which the rest is kept', async () => {
    await desk.read({ kind: 'remote' });
    const cache = JSON.parse(readFileSync(cacheFile(), 'utf8')) as { accounts: Record<string, unknown> };
    cache.accounts['remote/@a'] = { status: 'ok', windows: [{ id: null }] };
    writeFileSync(cacheFile(), JSON.stringify(cache));
    await desk.read({ kind: 'remote' });
    assert.deepEqual(vendor.asked, ['@a', '@b', '@a']);
    for (const text of ['', '{"version":1,"acc', '[]', '{"version":2}']) {
      writeFileSync(cacheFile(), text);
      assert.equal((await desk.read({ kind: 'remote' }))[0]?.status, 'ok', text);
    }
    assert.equal(vendor.asked.length, 11);
  });

  it('with a salt of this machine that only its owner reads', async () => {
    await desk.read({ kind: 'remote' });
    const salt = join(root, '.local/state/agentkit/identity.salt');
    assert.equal(statSync(salt).mode & 0o777, 0o600);
    assert.equal(statSync(cacheFile()).mode & 0o777, 0o600);
    const [before] = await desk.read({ kind: 'remote' });
    rmSync(salt);
    clock += hour;
    const [after] = await desk.read({ kind: 'remote' });
    assert.notEqual(before?.identity, after?.identity);
  });
});

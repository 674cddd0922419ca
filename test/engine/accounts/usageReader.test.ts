import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addProfile } from '../../../src/engine/accounts/profiles.ts';
import { readUsage } from '../../../src/engine/accounts/usageReader.ts';
import { tryHold } from '../../../src/engine/store/lock.ts';
import { stateFiles } from '../../../src/engine/store/paths.ts';
import { userFolders } from '../../../src/engine/store/userFolders.ts';
import type { AgentKind, UsageAnswer } from '../../../src/engine/agents/agentKind.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';

const window = { id: '5h', label: '5 hours', seconds: 18_000, used_pct: 40, free_pct: 60, resets_at: null };
const good: UsageAnswer = { status: 'ok', plan: 'max', windows: [window] };

describe('readUsage', function () {
  this.timeout(30_000);
  const demo = createKinds({ node: 'node', dist: 'dist', environment: {} }).get('demo')!;
  let root = '';
  let environment: Record<string, string> = {};
  let clock = 0;
  let asked: string[] = [];
  let answer: () => Promise<UsageAnswer> = () => Promise.resolve(good);
  /** A kind whose quota lies with a vendor. */
  const remote: AgentKind = {
    ...demo,
    id: 'remote',
    usageIsLocal: false,
    hasDefaultProfile: true,
    readUsage: ({ name }) => {
      asked.push(name);
      return answer();
    },
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "agentkit usage's ü "));
    environment = { HOME: root };
    clock = Date.parse('2026-11-30T12:00:00Z');
    asked = [];
    answer = () => Promise.resolve(good);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const read = (maxAgeS: number, kinds: AgentKind[] = [remote], kind?: string) =>
    readUsage({
      kinds: new Map(kinds.map((each) => [each.id, each])),
      environment,
      maxAgeS,
      now: () => new Date(clock),
      ...(kind !== undefined && { wanted: { kinds: [kind] } }),
    });

  it('contacts nobody for a reading of any age, and yet reads what is local', async () => {
    await addProfile(demo, '@one', environment);
    const [local, unread] = await read(Infinity, [demo, remote]);
    assert.deepEqual([local?.kind, local?.status], ['demo', 'ok']);
    assert.deepEqual(unread, {
      kind: 'remote',
      profile: '@default',
      status: 'unknown',
      reason: 'not read yet: read it with: ak usage',
      default: true,
      read_at: null,
      age_s: null,
      windows: [],
      unread: true,
    });
    await read(0, [remote]);
    clock -= 3_600_000;
    const known = await read(Infinity, [demo, remote]);
    assert.deepEqual(
      known.map(({ kind, profile }) => `${kind}/${profile}`),
      ['demo/@one', 'remote/@default'],
    );
    assert.deepEqual(asked, ['@default'], 'only when it was asked to');
  });

  it('asks once, then serves the reading with its age until that is too old', async () => {
    const [first] = await read(300);
    assert.deepEqual(first, {
      kind: 'remote',
      profile: '@default',
      status: 'ok',
      plan: 'max',
      default: true,
      asked_at: '2026-11-30T12:00:00.000Z',
      read_at: '2026-11-30T12:00:00.000Z',
      age_s: 0,
      windows: [window],
    });
    clock += 299_000;
    assert.equal((await read(300))[0]?.age_s, 299);
    assert.deepEqual(asked, ['@default']);
    clock += 2_000;
    assert.equal((await read(300))[0]?.age_s, 0);
    assert.deepEqual(asked, ['@default', '@default']);
  });

  it('asks anew when nothing but now will do', async () => {
    await read(300);
    clock += 1_000;
    await read(0);
    assert.equal(asked.length, 2);
  });

  it('asks once for all who ask at the same time', async () => {
    answer = async () => {
      await wait(100);
      return good;
    };
    const all = await Promise.all([read(300), read(300), read(0)]);
    assert.deepEqual(
      all.map(([reading]) => reading?.status),
      ['ok', 'ok', 'ok'],
    );
    assert.equal(asked.length, 1);
  });

  it('keeps the last good numbers with their age when a reading fails, and does not ask again at once', async () => {
    await read(300);
    clock += 600_000;
    answer = () => Promise.reject(new Error('429 from the vendor'));
    const [failed] = await read(300);
    assert.deepEqual(
      [failed?.status, failed?.reason, failed?.age_s, failed?.windows, failed?.plan],
      ['unknown', '429 from the vendor', 600, [window], 'max'],
    );
    clock += 10_000;
    assert.equal((await read(300))[0]?.age_s, 610);
    assert.equal(asked.length, 2);
    answer = () => Promise.resolve(good);
    const [again] = await read(0);
    assert.deepEqual([again?.status, again?.reason, again?.age_s], ['ok', undefined, 0]);
  });

  it('has no numbers where there never were any', async () => {
    answer = () => Promise.resolve({ status: 'unknown', reason: 'offline', windows: [] });
    const [reading] = await read(300);
    assert.deepEqual([reading?.status, reading?.reason, reading?.windows], ['unknown', 'offline', []]);
  });

  it('keeps accounts apart, and asks only those of the kind that is wanted', async () => {
    await addProfile(remote, '@two', environment);
    await addProfile(demo, '@one', environment);
    const readings = await read(300, [remote, demo]);
    assert.deepEqual(
      readings.map(({ kind, profile }) => `${kind}/${profile}`),
      ['remote/@default', 'remote/@two', 'demo/@one'],
    );
    assert.equal(asked.length, 2);
    assert.deepEqual(
      (await read(0, [remote, demo], 'demo')).map(({ kind }) => kind),
      ['demo'],
    );
    assert.equal(asked.length, 2);
  });

  it('sees an edited file of a demo account at once, and a broken one with its reason', async () => {
    const { folder } = await addProfile(demo, '@one', environment);
    const file = join(folder!, 'usage.json');
    assert.equal((await read(300, [demo]))[0]?.windows[0]?.used_pct, 20);
    clock += 1;
    writeFileSync(file, '{"windows": [{"id": "5h", "used_pct": 77}]}');
    assert.equal((await read(300, [demo]))[0]?.windows[0]?.used_pct, 77);
    clock += 5_000;
    writeFileSync(file, '{"windows": [');
    const [broken] = await read(300, [demo]);
    assert.deepEqual([broken?.status, broken?.age_s, broken?.windows[0]?.used_pct], ['unknown', 5, 77]);
    assert.match(broken?.reason ?? '', /usage\.json, line 1/);
  });

  it('writes down what is local only when it says something new', async () => {
    const { folder } = await addProfile(demo, '@one', environment);
    const inode = () => statSync(join(root, '.local/state/agentkit/usage.json')).ino;
    await read(300, [demo]);
    const first = inode();
    clock += 60_000;
    assert.equal((await read(300, [demo]))[0]?.age_s, 0);
    assert.equal(inode(), first);
    writeFileSync(join(folder!, 'usage.json'), '{"windows": [{"id": "5h", "used_pct": 78}]}');
    await read(300, [demo]);
    assert.notEqual(inode(), first);
  });

  it('keeps its cache for the owner alone, and does without one that is damaged', async () => {
    await read(300);
    const cache = join(root, '.local/state/agentkit/usage.json');
    assert.equal(statSync(cache).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(cache, 'utf8'), /token|secret/i);
    writeFileSync(cache, '{"version": 1, "acc');
    assert.equal((await read(300))[0]?.status, 'ok');
    assert.equal(asked.length, 2);
  });

  it('does not trust a reading of the future, after the clock was set back', async () => {
    await read(300);
    clock -= 86_400_000;
    assert.equal((await read(300))[0]?.age_s, 0);
    assert.equal(asked.length, 2);
  });

  it('tells what is known, with the reason, where another process does not end its reading', async () => {
    await addProfile(remote, '@new', environment);
    await read(300);
    await addProfile(remote, '@late', environment);
    const lock = tryHold(stateFiles(userFolders(environment).state).usageLock);
    const options = { kinds: new Map([['remote', remote]]), environment, now: () => new Date(clock) };
    const brief = (maxAgeS: number) => readUsage({ ...options, maxAgeS, waitMs: 100 });
    try {
      const [known, late] = await brief(300);
      assert.equal(known?.status, 'ok', 'it is new enough');
      assert.deepEqual([late?.status, late?.windows], ['unknown', []]);
      clock += 301_000;
      const [old] = await brief(300);
      assert.deepEqual([old?.status, old?.windows, old?.age_s], ['unknown', [window], 301]);
      assert.match(old?.reason ?? '', /another process has been reading quotas for more than 0\.1 s/);
      assert.equal(asked.length, 2);
    } finally {
      lock?.release();
    }
    assert.deepEqual(
      (await brief(300)).map(({ status }) => status),
      ['ok', 'ok', 'ok'],
    );
  });

  describe('of a kind that reads its quota here', () => {
    let probed: string[] = [];
    let logins: Record<string, string> = {};
    const local: AgentKind = {
      ...demo,
      id: 'local',
      probe: ({ name }) => {
        probed.push(name);
        const identity = logins[name];
        return Promise.resolve({ version: '1', login: 'ok', ...(identity !== undefined && { identity }) });
      },
    };
    beforeEach(async () => {
      probed = [];
      logins = { '@one': 'me', '@two': 'me' };
      for (const name of ['@one', '@two']) await addProfile(local, name, environment);
    });

    it('knows two profiles of one login as one, and asks their CLIs no more often than a vendor', async () => {
      const [one, two] = await read(300, [local]);
      assert.ok(one?.identity !== undefined && one.identity === two?.identity);
      for (const age of [300, Infinity, Number.MAX_SAFE_INTEGER]) await read(age, [local]);
      assert.deepEqual(probed, ['@one', '@two']);
      clock += 301_000;
      await read(300, [local]);
      assert.equal(probed.length, 4);
      assert.equal((await read(Infinity, [local]))[1]?.identity, one.identity, 'it is kept in between');
    });

    it('asks no CLI where nobody is to be asked, and goes on where one does not say', async () => {
      assert.equal((await read(Infinity, [local]))[0]?.status, 'ok');
      assert.deepEqual(probed, []);
      logins = {};
      const [one] = await read(300, [local]);
      assert.deepEqual([one?.status, one?.identity], ['ok', undefined]);
    });

    it('learns of another login when it is read anew, and leaves out that of an excluded profile', async () => {
      await read(300, [local]);
      logins['@two'] = 'you';
      clock += 1_000;
      const [one, two] = await read(0, [local]);
      assert.notEqual(one?.identity, two?.identity);
      const settings = join(root, '.config/agentkit');
      mkdirSync(settings, { recursive: true });
      writeFileSync(join(settings, 'settings.yaml'), 'accounts: { local/@one: { exclude: true } }\n');
      assert.deepEqual(
        (await read(0, [local])).map(({ excluded }) => excluded),
        [true, undefined],
      );
      logins['@two'] = 'me';
      clock += 1_000;
      assert.deepEqual(
        (await read(0, [local])).map(({ excluded }) => excluded),
        [true, true],
      );
    });
  });
});

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { addProfile, findProfile, listProfiles } from '../../../src/engine/accounts/profiles.ts';
import { releaseLease, takeLease } from '../../../src/engine/accounts/leases.ts';
import { removeProfile } from '../../../src/engine/accounts/removeProfile.ts';
import { scanProfiles } from '../../../src/engine/accounts/scanProfiles.ts';
import { rejectsWith } from '../git/rejectsWith.ts';
import { createKinds } from '../../../src/engine/agents/kinds.ts';

const reason = (wanted: string) => (error: AgentKitError) => error.reason === wanted;

describe('profiles', function () {
  this.timeout(30_000);
  const demo = createKinds({ node: 'node', dist: 'dist', environment: {} }).get('demo')!;
  const withHome = { ...demo, id: 'homely', hasDefaultProfile: true };
  let root = '';
  let environment: Record<string, string> = {};
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "agentkit profile's ü "));
    environment = { HOME: root };
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('makes a folder for its owner alone, which it then finds, and the kind prepares it', async () => {
    const made = await addProfile(demo, '@one', environment);
    const folder = join(root, '.local/share/agentkit/profiles/demo/one');
    assert.deepEqual(made, { kind: 'demo', name: '@one', folder });
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, '..')).mode & 0o777, 0o700);
    assert.deepEqual(await listProfiles(demo, environment), [made]);
    assert.deepEqual(await findProfile(demo, '@ONE', environment), made);
    assert.equal((await demo.readUsage(made)).status, 'ok');
  });

  it('lists nothing, and makes nothing, where there is nothing', async () => {
    assert.deepEqual(await listProfiles(demo, environment), []);
    assert.equal(existsSync(join(root, '.local')), false);
  });

  it('moves with AGENTKIT_PROFILES_DIR', async () => {
    environment['AGENTKIT_PROFILES_DIR'] = join(root, 'else where');
    assert.equal((await addProfile(demo, '@a', environment)).folder, join(root, 'else where/demo/a'));
  });

  it('takes a name once, whatever its case', async () => {
    await addProfile(demo, '@One', environment);
    await assert.rejects(addProfile(demo, '@one', environment), reason('conflict'));
    await addProfile(demo, '@two', environment);
    assert.deepEqual(
      (await listProfiles(demo, environment)).map(({ name }) => name),
      ['@One', '@two'],
    );
  });

  it('refuses names that are not proper, and the two that mean the home of the CLI', async () => {
    for (const name of ['one', '@', '@.one', '@a/b', '@..', '@' + 'a'.repeat(33), '@ü']) {
      await assert.rejects(addProfile(demo, name, environment), reason('invalid_input'), name);
      await assert.rejects(findProfile(demo, name, environment), reason('invalid_input'), name);
    }
    for (const name of ['@default', '@1', '@Default']) {
      await assert.rejects(addProfile(demo, name, environment), reason('invalid_input'), name);
    }
    await addProfile(demo, '@a.b_c-1', environment);
  });

  it('has the home of the CLI as a profile where the kind has one', async () => {
    const own = { kind: 'homely', name: '@default', folder: null };
    assert.deepEqual(await listProfiles(withHome, environment), [own]);
    assert.deepEqual(await findProfile(withHome, '@1', environment), own);
  });

  it('says of a home that is not there what makes it: a profile of its own, or the CLI', async () => {
    await rejectsWith(findProfile(demo, '@default', environment), 'not_found', 'ak profiles add demo @one');
    const absent = { ...demo, label: 'Absent', install: 'npm i absent' };
    for (const name of ['@default', '@1'])
      await rejectsWith(
        findProfile(absent, name, environment),
        'not_installed',
        'install it with: npm i absent',
      );
    await rejectsWith(findProfile(absent, '@work', environment), 'not_found', 'ak profiles add demo @work');
    assert.equal((await findProfile({ ...absent, hasDefaultProfile: true }, '@1', environment)).folder, null);
  });

  it('leaves out links and files, and refuses a link by its name', async () => {
    await addProfile(demo, '@real', environment);
    const kindFolder = join(root, '.local/share/agentkit/profiles/demo');
    mkdirSync(join(root, 'target'));
    symlinkSync(join(root, 'target'), join(kindFolder, 'link'));
    writeFileSync(join(kindFolder, 'file'), '');
    mkdirSync(join(kindFolder, '.hidden'));
    assert.deepEqual(
      (await listProfiles(demo, environment)).map(({ name }) => name),
      ['@real'],
    );
    await assert.rejects(findProfile(demo, '@link', environment), reason('refused'));
    await assert.rejects(addProfile(demo, '@link', environment), reason('conflict'));
    await assert.rejects(
      findProfile(demo, '@none', environment),
      (error: AgentKitError) => error.reason === 'not_found' && error.message.includes('demo/@none'),
    );
  });

  it('uses no folder that anybody may write, and says so by its name', async () => {
    const { folder } = await addProfile(demo, '@open', environment);
    await addProfile(demo, '@mine', environment);
    chmodSync(folder!, 0o707);
    const { profiles, problems } = await scanProfiles(demo, environment);
    assert.deepEqual(
      [profiles, problems].map((list) => list.map(({ name }) => name)),
      [['@mine'], ['@open']],
    );
    await rejectsWith(findProfile(demo, '@OPEN', environment), 'refused', 'anybody', 'chmod o-w');
    chmodSync(folder!, 0o770);
    assert.equal((await listProfiles(demo, environment)).length, 2);
  });

  for (const [what, path] of [
    ['of a kind', '.local/share/agentkit/profiles/demo'],
    ['of all kinds', '.local/share/agentkit/profiles'],
  ] as const) {
    it(`uses nothing below a link in place of the folder ${what}`, async () => {
      await addProfile(demo, '@a', environment);
      renameSync(join(root, path), join(root, 'elsewhere'));
      symlinkSync(join(root, 'elsewhere'), join(root, path));
      assert.deepEqual(await listProfiles(demo, environment), []);
      await rejectsWith(findProfile(demo, '@a', environment), 'refused', 'is a link', path);
      await rejectsWith(addProfile(demo, '@b', environment), 'refused', 'is a link');
      assert.deepEqual(await listProfiles(withHome, environment), [
        { kind: 'homely', name: '@default', folder: null },
      ]);
    });
  }

  it('moves as the settings of the published ak say, unless the environment does', async () => {
    mkdirSync(join(root, '.config/agentkit'), { recursive: true });
    const env = join(root, '.config/agentkit/env');
    writeFileSync(env, `AGENTKIT_PROFILES_DIR=${join(root, 'there')}\n`, { mode: 0o600 });
    assert.equal((await addProfile(demo, '@a', environment)).folder, join(root, 'there/demo/a'));
    environment['AGENTKIT_PROFILES_DIR'] = join(root, 'here');
    assert.deepEqual(await listProfiles(demo, environment), []);
    delete environment['AGENTKIT_PROFILES_DIR'];
    writeFileSync(env, 'AGENTKIT_PROFILES_DIR=there\n');
    await rejectsWith(listProfiles(demo, environment), 'invalid_input', 'absolute path');
  });

  describe('are removed', () => {
    const remove = (name: string) => removeProfile(demo, name, environment);

    it('with what is in them, and nothing else', async () => {
      const { folder } = await addProfile(demo, '@a', environment);
      await addProfile(demo, '@b', environment);
      const outside = join(root, 'outside');
      mkdirSync(outside);
      writeFileSync(join(outside, 'kept'), '');
      symlinkSync(outside, join(folder!, 'link'));
      assert.equal((await remove('@A')).name, '@a');
      assert.ok(existsSync(join(outside, 'kept')));
      assert.deepEqual(readdirSync(join(folder!, '..')), ['b']);
      await rejectsWith(remove('@a'), 'not_found');
      await addProfile(demo, '@a', environment);
    });

    it('never the home of the CLI, never through a link, never by a path', async () => {
      await rejectsWith(removeProfile(withHome, '@default', environment), 'refused', 'not ours to delete');
      await addProfile(demo, '@real', environment);
      const kindFolder = join(root, '.local/share/agentkit/profiles/demo');
      symlinkSync(join(kindFolder, 'real'), join(kindFolder, 'link'));
      await rejectsWith(remove('@link'), 'refused', 'is a link');
      await rejectsWith(remove('@../demo/real'), 'invalid_input');
      assert.ok(existsSync(join(kindFolder, 'real')));
    });

    it('only while nobody uses them', async () => {
      const { folder } = await addProfile(demo, '@a', environment);
      await takeLease({ account: 'demo/@a', owner: 'run/lane', mode: 'read', environment });
      await rejectsWith(remove('@a'), 'refused', 'in use by run/lane');
      assert.ok(existsSync(folder!));
      await releaseLease({ owner: 'run/lane', environment });
      await remove('@a');
      assert.equal(existsSync(folder!), false);
    });
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { addProfile, findProfile, listProfiles } from '../../../src/engine/accounts/profiles.ts';
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
    await assert.rejects(findProfile(demo, '@default', environment), reason('not_found'));
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
});

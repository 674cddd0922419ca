import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountSetting, defaultProfile } from '../../../src/core/accounts/personSettings.ts';
import { profilesRoot, readPersonSettings } from '../../../src/engine/accounts/personSettings.ts';
import { setAccountSetting } from '../../../src/engine/accounts/setAccountSetting.ts';
import { rejectsWith } from '../git/rejectsWith.ts';

describe('the person’s settings', () => {
  let root = '';
  let environment: Record<string, string> = {};
  const folder = () => join(root, '.config/agentkit');
  const file = () => join(folder(), 'settings.yaml');
  const read = () => readPersonSettings(environment);
  function put(name: string, text: string, mode = 0o600): void {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), name), text);
    chmodSync(join(folder(), name), mode);
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "agentkit settings' ü "));
    environment = { HOME: root };
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('say nothing where there are none, and reading makes nothing', async () => {
    assert.deepEqual(await read(), {
      permissions: 'auto',
      askedBy: [],
      accounts: new Map(),
      defaultProfiles: new Map(),
      denied: [],
      kinds: undefined,
    });
    assert.throws(() => statSync(join(root, '.config')), { code: 'ENOENT' });
  });

  it('name the variables that no agent gets', async () => {
    put('settings.yaml', 'env:\n  deny: [STRIPE_KEY, "AWS_*"]\n');
    assert.deepEqual((await read()).denied, ['STRIPE_KEY', 'AWS_*']);
    put('settings.yaml', 'env:\n  deny:\n    - STRIPE KEY\n');
    await rejectsWith(read(), 'invalid_input', /settings\.yaml:3:7 .*write the name of a variable/);
    put('settings.yaml', 'env: { allow: [STRIPE_KEY] }\n');
    await rejectsWith(read(), 'invalid_input', /allow/);
  });

  it('are read from both files and the environment', async () => {
    put(
      'settings.yaml',
      'version: 1\naccounts:\n  claude/@Work2: { slots: 2 }\n  codex/@1: { exclude: true }\n' +
        'default_profiles: { claude: "@home" }\nkinds: { mytool: { run: [mytool] } }\n',
    );
    put(
      'env',
      '# of the published ak\nexport AGENTKIT_DEFAULT_PROFILE_CODEX="@two"\n\nAGENTKIT_PROFILES_DIR=/p # there\nOTHER=1\n',
    );
    environment['AGENTKIT_DEFAULT_PROFILE_MY_TOOL'] = 'x';
    const settings = await read();
    assert.deepEqual(accountSetting(settings, 'claude/@work2'), { slots: 2, exclude: false });
    assert.deepEqual(accountSetting(settings, 'codex/@default'), { slots: 1, exclude: true });
    assert.deepEqual(accountSetting(settings, 'codex/@other'), { slots: 1, exclude: false });
    assert.deepEqual(
      ['claude', 'codex', 'my-tool', 'pi'].map((kind) => defaultProfile(settings, kind)),
      ['@home', '@two', '@x', undefined],
    );
    assert.equal(await profilesRoot(environment), '/p');
    assert.deepEqual(settings.kinds, { mytool: { run: ['mytool'] } });
  });

  it('ask as soon as one place says so, whatever the others say', async () => {
    assert.equal((await read()).permissions, 'auto');
    put('settings.yaml', 'permissions: ask\n');
    environment['AGENTKIT_PERMISSIONS'] = 'auto';
    assert.equal((await read()).permissions, 'ask');
    put('settings.yaml', 'permissions: auto\n');
    assert.equal((await read()).permissions, 'auto');
    put('env', 'AGENTKIT_PERMISSIONS=ask\n');
    assert.equal((await read()).permissions, 'ask');
    put('env', '');
    environment['AGENTKIT_PERMISSIONS'] = 'ask';
    assert.equal((await read()).permissions, 'ask');
  });

  it('name every place that says so, and none that does not', async () => {
    assert.deepEqual((await read()).askedBy, []);
    put('settings.yaml', 'permissions: ask\n');
    put('env', 'AGENTKIT_PERMISSIONS=auto\n');
    environment['AGENTKIT_PERMISSIONS'] = 'ask';
    const [file = '', ...others] = (await read()).askedBy;
    assert.match(file, /settings\.yaml$/);
    assert.deepEqual(others, ['AGENTKIT_PERMISSIONS']);
  });

  it('never take a slip in that word for leave to go on', async () => {
    environment['AGENTKIT_PERMISSIONS'] = 'Ask';
    await rejectsWith(read(), 'usage', /"Ask"; say ask or auto/);
    environment = { HOME: root };
    put('env', 'AGENTKIT_PERMISSIONS: ask\n');
    await rejectsWith(read(), 'invalid_input', /env:1:1 is not KEY=value/);
    put('env', 'AGENTKIT_PERMISSIONS=aks\n');
    await rejectsWith(read(), 'invalid_input', /env sets AGENTKIT_PERMISSIONS to "aks"/);
  });

  it('name file, line and column of what is wrong', async () => {
    for (const [text, wrong] of [
      ['permissions: never\n', /settings\.yaml:1:14 permissions: /],
      [
        'version: 1\naccounts:\n  claude/@a: { slots: 0 }\n',
        /settings\.yaml:3:23 accounts\.claude\/@a\.slots/,
      ],
      ['accounts:\n  claude: { exclude: true }\n', /settings\.yaml:2:3 "claude" is not an account/],
      ['accounts:\n  a/@b: {}\n  a/@B: {}\n', /settings\.yaml:3:3 account "a\/@B" is there twice/],
      ['permision: ask\n', /settings\.yaml:1:1 unknown key "permision"/],
      ['- ask\n', /settings\.yaml:1:1 the settings are a mapping/],
      ['a: [\n', /settings\.yaml:2:1 /],
    ] as const) {
      put('settings.yaml', text);
      await rejectsWith(read(), 'invalid_input', wrong);
    }
    rmSync(file());
    mkdirSync(file());
    await rejectsWith(read(), 'invalid_input', /is not a file/);
  });

  for (const name of ['settings.yaml', 'env']) {
    it(`do not trust a ${name} that others may write`, async () => {
      for (const mode of [0o620, 0o602, 0o666]) {
        put(name, '', mode);
        await rejectsWith(read(), 'refused', /can be written by others; .*chmod go-w/);
      }
      put(name, '', 0o644);
      assert.equal((await read()).permissions, 'auto');
    });
  }

  it('are edited for one account; everything else stays, comments too', async () => {
    await setAccountSetting(environment, 'claude/@a', { exclude: true });
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(statSync(folder()).mode & 0o777, 0o700);
    put(
      'settings.yaml',
      '# mine\npermissions: ask # always\naccounts:\n  # the good one\n  claude/@A: { exclude: true }\n',
      0o644,
    );
    await setAccountSetting(environment, 'claude/@a', { slots: 3 });
    await setAccountSetting(environment, 'codex/@b', { exclude: true });
    const text = readFileSync(file(), 'utf8');
    for (const kept of ['# mine', '# always', '# the good one']) assert.ok(text.includes(kept), kept);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    const settings = await read();
    assert.equal(settings.permissions, 'ask');
    assert.deepEqual(accountSetting(settings, 'claude/@a'), { slots: 3, exclude: true });
    assert.deepEqual(accountSetting(settings, 'codex/@b'), { slots: 1, exclude: true });
    await setAccountSetting(environment, 'claude/@a', { exclude: false });
    assert.deepEqual(accountSetting(await read(), 'claude/@a'), { slots: 3, exclude: false });
  });

  it('are left as they are when the edit would be wrong', async () => {
    await rejectsWith(
      setAccountSetting(environment, 'claude', { slots: 2 }),
      'invalid_input',
      /not an account/,
    );
    await rejectsWith(
      setAccountSetting(environment, 'a/@b', { slots: 17 }),
      'invalid_input',
      /slots of a\/@b/,
    );
    const shared = 'accounts:\n  a/@b: &x { slots: 2 }\n  a/@c: *x\n';
    for (const text of [shared, 'accounts: [\n', 'nonsense: 1\n']) {
      put('settings.yaml', text);
      await rejectsWith(
        setAccountSetting(environment, 'a/@b', { exclude: true }),
        'invalid_input',
        /settings\.yaml/,
      );
      assert.equal(readFileSync(file(), 'utf8'), text);
    }
    put('settings.yaml', '', 0o622);
    await rejectsWith(setAccountSetting(environment, 'a/@b', { exclude: true }), 'refused', /others/);
  });

  it('keep every edit of several at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `demo/@${name}`);
    await Promise.all(names.map((name) => setAccountSetting(environment, name, { exclude: true })));
    const settings = await read();
    assert.ok(names.every((name) => accountSetting(settings, name).exclude));
  });
});

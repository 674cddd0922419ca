import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGeminiKind } from '../../../../src/engine/agents/gemini/gemini.ts';
import { writeGeminiPolicy } from '../../../../src/engine/agents/gemini/geminiPolicy.ts';

describe('gemini kind', function () {
  this.timeout(60_000);
  const root = mkdtempSync(join(tmpdir(), "agentkit gemini's ü "));
  const bin = join(root, 'bin');
  const folder = join(root, 'profile');
  const own = join(folder, '.gemini');
  const profile = { kind: 'gemini', name: '@one', folder };
  const ownHome = { kind: 'gemini', name: '@default', folder: null };
  const environment = { PATH: bin, HOME: root, GEMINI_API_KEY: 'somebody-elses' };
  const gemini = createGeminiKind({ environment });
  const write = (name: string, text: string) => writeFileSync(join(own, name), text);
  const say = (version: string) =>
    writeFileSync(join(bin, 'gemini'), `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 });

  before(() => mkdirSync(bin));
  beforeEach(() => {
    say('0.61.0');
    mkdirSync(own, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  after(() => rmSync(root, { recursive: true }));

  it('is started under the home of the profile, with its key kept there, and the prompt on standard input', () => {
    assert.deepEqual(gemini.launch(profile, { posture: 'auto' }), {
      argv: [join(bin, 'gemini'), '--output-format', 'stream-json', '--approval-mode', 'yolo'],
      env: { GEMINI_CLI_HOME: folder, GEMINI_FORCE_FILE_STORAGE: 'true' },
    });
    assert.deepEqual(gemini.launch(ownHome, { posture: 'auto' }).env, {});
  });

  it('trusts no folder by itself', () => {
    for (const posture of ['auto', 'ask', 'read-only'] as const) {
      const { argv, env } = gemini.launch(profile, { posture });
      assert.doesNotMatch([...argv, ...Object.keys(env)].join(' '), /trust/i);
    }
  });

  for (const posture of ['ask', 'read-only'] as const) {
    it(`shuts the way out of its mode with ${posture}, by rules in a file of ours`, () => {
      const { argv } = gemini.launch(ownHome, { posture });
      const file = join(root, '.local', 'state', 'agentkit', 'gemini', `${posture}.toml`);
      assert.deepEqual(argv.slice(3), ['--approval-mode', 'default', '--admin-policy', file]);
      const rules = readFileSync(file, 'utf8');
      assert.match(
        rules,
        /toolName = \["enter_plan_mode","exit_plan_mode"\]\ndecision = "deny"\npriority = 999/,
      );
      assert.equal(/toolName = \["\*"\]\ndecision = "deny"/.test(rules), posture === 'read-only');
      assert.doesNotMatch(rules, /"(write_file|replace|run_shell_command|invoke_agent|web_fetch)"/);
      assert.equal(statSync(file).mode & 0o777, 0o600);
    });
  }

  it('writes the rules anew when somebody changed them', () => {
    const file = writeGeminiPolicy('read-only', environment);
    const rules = readFileSync(file, 'utf8');
    writeFileSync(file, 'changed');
    assert.equal(writeGeminiPolicy('read-only', environment), file);
    assert.equal(readFileSync(file, 'utf8'), rules);
  });

  it('refuses to ask or to read only where an administrator has rules: ours would not be taken', () => {
    const admin = join(root, 'admin');
    mkdirSync(admin);
    assert.ok(writeGeminiPolicy('ask', environment, [admin, join(root, 'none')]));
    writeFileSync(join(admin, 'rules.toml'), '');
    assert.throws(() => writeGeminiPolicy('ask', environment, [admin]), { reason: 'refused' });
  });

  it('takes a model and a session, and refuses what would be read as an option', () => {
    const { argv } = gemini.launch(ownHome, { posture: 'auto', model: 'gemini-2.5-pro', resume: 'abc' });
    assert.deepEqual(argv.slice(5), ['--model', 'gemini-2.5-pro', '--resume', 'abc']);
    for (const odd of [{ model: '--yolo' }, { resume: '-y' }, { resume: '' }]) {
      assert.throws(() => gemini.launch(ownHome, { posture: 'auto', ...odd }), { reason: 'invalid_input' });
    }
  });

  it('has a screen of its own, and sessions to go on with there', () => {
    const screen = (resume?: 'last' | 'choose' | { id: string }) =>
      gemini.interactive?.(profile, { posture: 'ask', args: ['-e', 'none'], ...(resume && { resume }) }).argv;
    assert.deepEqual(screen()?.slice(1), ['--approval-mode', 'default', '-e', 'none']);
    assert.deepEqual(screen('last')?.slice(3, 5), ['--resume', 'latest']);
    assert.deepEqual(screen({ id: 'abc' })?.slice(3, 5), ['--resume', 'abc']);
    assert.throws(() => screen('choose'), { reason: 'usage', message: /\/resume/ });
    assert.throws(() => screen({ id: '--yolo' }), { reason: 'invalid_input' });
  });

  it('refuses to start where there is no Gemini, and tells how to install it', () => {
    const missing = createGeminiKind({ environment: { PATH: '/nowhere', HOME: root } });
    assert.throws(() => missing.launch(ownHome, { posture: 'auto' }), {
      reason: 'not_installed',
      message: /npm install -g @google\/gemini-cli$/,
    });
  });

  describe('trust', () => {
    const trust = (where: string) => gemini.trustFolder?.(profile, where);
    const trusted = () => JSON.parse(readFileSync(join(own, 'trustedFolders.json'), 'utf8')) as unknown;

    it('is written down for that folder and that profile, beside what stands there', async () => {
      rmSync(own, { recursive: true });
      await trust('/home/me/one');
      await trust('/home/me/two');
      await trust('/home/me/two');
      assert.deepEqual(trusted(), { '/home/me/one': 'TRUST_FOLDER', '/home/me/two': 'TRUST_FOLDER' });
      assert.equal(statSync(join(own, 'trustedFolders.json')).mode & 0o777, 0o600);
    });

    it('goes into the home of the person for the own account', async () => {
      await gemini.trustFolder?.(ownHome, '/home/me/one');
      const file = join(root, '.gemini', 'trustedFolders.json');
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { '/home/me/one': 'TRUST_FOLDER' });
    });

    it('is not written over a distrust, nor into a file that is not understood', async () => {
      write('trustedFolders.json', '{ "/home/me/one": "DO_NOT_TRUST" }');
      await assert.rejects(async () => trust('/home/me/one'), { reason: 'refused' });
      for (const text of ['{', '[]', '{ "/home/me/one": 1 }']) {
        write('trustedFolders.json', text);
        await assert.rejects(async () => trust('/home/me/two'), { reason: 'invalid_input' });
        assert.equal(readFileSync(join(own, 'trustedFolders.json'), 'utf8'), text);
      }
    });
  });

  describe('probe', () => {
    const probe = () => gemini.probe?.(profile, environment);
    const selected = (type: string) =>
      `{ // chosen\n "security": { "auth": { "selectedType": "${type}" } } }`;

    it('finds a login with Google, and whose it is', async () => {
      write('settings.json', selected('oauth-personal'));
      write('oauth_creds.json', '{}');
      assert.deepEqual(await probe(), { version: '0.61.0', login: 'ok' });
      write('google_accounts.json', '{ "active": "one@example.invalid", "old": [] }');
      assert.deepEqual(await probe(), { version: '0.61.0', login: 'ok', identity: 'one@example.invalid' });
    });

    it('tells that there is none, and how to log in', async () => {
      for (const settings of ['{}', selected('oauth-personal'), selected('gemini-api-key')]) {
        write('settings.json', settings);
        const found = await probe();
        assert.equal(found?.login, 'not_logged_in', settings);
        assert.match(found?.problem ?? '', /log in on Gemini's own screen: GEMINI_CLI_HOME='.*' .*gemini$/);
      }
    });

    it('finds a key of this profile by its name, not one of the caller', async () => {
      write('settings.json', selected('gemini-api-key'));
      write('.env', '# GEMINI_API_KEY=x\nGEMINI_API_KEY=\n');
      assert.equal((await probe())?.login, 'not_logged_in');
      write('.env', 'OTHER=1\nexport GEMINI_API_KEY=secret\n');
      const found = await probe();
      assert.deepEqual(found, { version: '0.61.0', login: 'ok' });
      rmSync(join(own, '.env'));
      assert.equal((await probe())?.login, 'not_logged_in');
      writeFileSync(join(folder, '.env'), 'GEMINI_API_KEY=secret\n');
      assert.equal((await probe())?.login, 'ok');
      rmSync(join(folder, '.env'));
      write('gemini-credentials.json', 'encrypted');
      assert.equal((await probe())?.login, 'ok');
    });

    it('does not know of logins that are not in its files', async () => {
      write('settings.json', selected('vertex-ai'));
      const found = await probe();
      assert.equal(found?.login, 'unknown');
      assert.match(found?.problem ?? '', /"vertex-ai"/);
    });

    it('tells of a program that is not Gemini, and of none', async () => {
      say('what');
      assert.match((await probe())?.problem ?? '', /tells no version/);
      const none = await gemini.probe?.(profile, { PATH: '/nowhere' });
      assert.deepEqual([none?.version, none?.login], [null, 'unknown']);
    });
  });
});

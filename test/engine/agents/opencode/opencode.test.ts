import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpencodeKind } from '../../../../src/engine/agents/opencode/opencode.ts';

type Rules = Record<string, unknown>;
interface Settings {
  permission: Rules;
  agent: Record<string, { permission: Rules }>;
  mode: Record<string, { permission: Rules }>;
}

describe('opencode kind', function () {
  this.timeout(60_000);
  const root = mkdtempSync(join(tmpdir(), "agentkit opencode's ü "));
  const bin = join(root, 'bin');
  const folder = join(root, 'profile');
  const logins = join(folder, 'data', 'opencode', 'auth.json');
  const profile = { kind: 'opencode', name: '@one', folder };
  const own = { kind: 'opencode', name: '@default', folder: null };
  const environment = { PATH: bin, HOME: root };
  const opencode = createOpencodeKind({ environment });
  const home = {
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const say = (version: string) =>
    writeFileSync(join(bin, 'opencode'), `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 });
  const settings = (env: Record<string, string> | undefined) =>
    JSON.parse(env?.['OPENCODE_CONFIG_CONTENT'] ?? 'null') as Settings | null;

  before(() => {
    mkdirSync(bin);
    mkdirSync(join(folder, 'data', 'opencode'), { recursive: true });
    say('1.18.33');
  });
  after(() => rmSync(root, { recursive: true }));

  it('is started with the four folders of the profile, and the prompt on standard input', () => {
    const { argv, env } = opencode.launch(profile, { posture: 'auto' });
    const log = ['--print-logs', '--log-level', 'ERROR'];
    assert.deepEqual(argv, [join(bin, 'opencode'), 'run', '--format', 'json', ...log, '--auto']);
    assert.deepEqual(env, home);
    assert.deepEqual(opencode.launch(own, { posture: 'auto' }).env, {});
    assert.deepEqual(opencode.environment(profile), home);
  });

  it('asks for everything but reading, also where settings of an agent or a mode say otherwise', () => {
    for (const start of [
      opencode.launch(profile, { posture: 'ask' }),
      opencode.interactive?.(profile, { posture: 'ask', args: [] }),
    ]) {
      assert.match(start?.argv.join(' ') ?? '', / --agent build$/);
      assert.doesNotMatch(start?.argv.join(' ') ?? '', /--auto/);
      const told = settings(start?.env);
      for (const rules of [
        told?.permission,
        told?.agent['build']?.permission,
        told?.mode['build']?.permission,
      ]) {
        assert.deepEqual(
          ['*', 'edit', 'bash', 'task', 'external_directory', 'webfetch'].map((what) => rules?.[what]),
          ['ask', 'ask', 'ask', 'ask', 'ask', 'ask'],
        );
        assert.equal(rules?.['grep'], 'allow');
      }
    }
  });

  it('reads only with an agent of ours, which no settings of the folder can change', () => {
    const { argv, env } = opencode.launch(own, { posture: 'read-only' });
    assert.deepEqual(argv.slice(-2), ['--agent', 'agentkit-read-only']);
    assert.equal(env['OPENCODE_DISABLE_PROJECT_CONFIG'], '1');
    const told = settings(env);
    for (const rules of [
      told?.permission,
      told?.agent['agentkit-read-only']?.permission,
      told?.mode['agentkit-read-only']?.permission,
    ]) {
      assert.deepEqual(
        ['*', 'edit', 'bash', 'task', 'glob'].map((what) => rules?.[what]),
        ['deny', 'deny', 'deny', 'deny', 'allow'],
      );
      assert.equal((rules?.['read'] as Rules)['*.env'], 'deny');
      assert.equal(JSON.stringify(rules).includes('"ask"'), false);
    }
  });

  it('takes a model and a session, and refuses what would be read as an option', () => {
    const { argv } = opencode.launch(own, { posture: 'auto', model: 'vendor/some-model', resume: 'ses_1' });
    assert.deepEqual(argv.slice(-4), ['--model', 'vendor/some-model', '--session', 'ses_1']);
    for (const odd of [{ model: '--auto' }, { resume: '-c' }, { resume: '' }]) {
      assert.throws(() => opencode.launch(own, { posture: 'auto', ...odd }), { reason: 'invalid_input' });
    }
  });

  it('has a screen of its own, and sessions to go on with there', () => {
    const screen = (resume?: 'last' | 'choose' | { id: string }) =>
      opencode.interactive?.(profile, { posture: 'auto', args: ['--mini'], ...(resume && { resume }) }).argv;
    assert.deepEqual(screen()?.slice(1), ['--auto', '--mini']);
    assert.deepEqual(screen('last')?.slice(1), ['--auto', '--continue', '--mini']);
    assert.deepEqual(screen({ id: 'ses_1' })?.slice(2, 4), ['--session', 'ses_1']);
    assert.throws(() => screen('choose'), { reason: 'usage', message: /\/sessions/ });
    assert.throws(() => screen({ id: '--auto' }), { reason: 'invalid_input' });
  });

  it('refuses to start where there is no OpenCode, and tells how to install it', () => {
    const missing = createOpencodeKind({ environment: { PATH: '/nowhere' } });
    assert.throws(() => missing.launch(own, { posture: 'auto' }), {
      reason: 'not_installed',
      message: /npm install -g opencode-ai$/,
    });
  });

  describe('probe', () => {
    const probe = () => opencode.probe?.(profile, environment);

    it('finds a login of any provider', async () => {
      writeFileSync(logins, '{ "anthropic": { "type": "api", "key": "a-secret" } }');
      assert.deepEqual(await probe(), { version: '1.18.33', login: 'ok' });
    });

    it('tells that there is none, and the command that logs in', async () => {
      writeFileSync(logins, '{}');
      const empty = await probe();
      rmSync(logins);
      for (const found of [empty, await probe()]) {
        assert.equal(found?.login, 'not_logged_in');
        assert.match(found?.problem ?? '', /log in with: XDG_DATA_HOME='.*' .*opencode auth login$/);
      }
    });

    it('looks for the own account where the caller has its folders', async () => {
      const data = join(root, 'elsewhere');
      mkdirSync(join(data, 'opencode'), { recursive: true });
      writeFileSync(join(data, 'opencode', 'auth.json'), '{ "anthropic": {} }');
      const found = await opencode.probe?.(own, { ...environment, XDG_DATA_HOME: data });
      assert.equal(found?.login, 'ok');
      assert.equal((await opencode.probe?.(own, environment))?.login, 'not_logged_in');
    });

    it('does not know of a file that is not as OpenCode writes it, and shows nothing of it', async () => {
      for (const text of ['{ "a-secret": ', '["a-secret"]', '"a-secret"']) {
        writeFileSync(logins, text);
        const found = await probe();
        assert.equal(found?.login, 'unknown', text);
        assert.doesNotMatch(found?.problem ?? '', /a-secret/);
      }
    });

    it('tells of a program that is not OpenCode, and of none', async () => {
      say('what');
      assert.match((await probe())?.problem ?? '', /tells no version/);
      const none = await opencode.probe?.(profile, { PATH: '/nowhere' });
      assert.deepEqual([none?.version, none?.login], [null, 'unknown']);
      say('1.18.33');
    });
  });
});

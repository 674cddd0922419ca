import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKinds } from '../../../../src/engine/agents/kinds.ts';
import { createPiKind } from '../../../../src/engine/agents/pi/pi.ts';

const standIn = fileURLToPath(new URL('standInPi.ts', import.meta.url));

describe('pi kind', function () {
  this.timeout(60_000);
  const root = mkdtempSync(join(tmpdir(), "agentkit pi's ü "));
  const bin = join(root, 'bin');
  const folder = join(root, 'profile');
  const profile = { kind: 'pi', name: '@one', folder };
  const own = { kind: 'pi', name: '@default', folder: null };
  const environment = { PATH: bin, HOME: root, PI_CODING_AGENT_DIR: '/somebody/elses' };
  const pi = createPiKind({ environment });
  before(() => {
    mkdirSync(bin);
    mkdirSync(folder);
    const words = [process.execPath, standIn, root].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    writeFileSync(join(bin, 'pi'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
    chmodSync(join(bin, 'pi'), 0o755);
  });
  after(() => rmSync(root, { recursive: true }));

  const behave = (behaviour: object) => {
    rmSync(join(root, 'stand-in.log'), { force: true });
    writeFileSync(join(root, 'stand-in.json'), JSON.stringify({ version: '1.6.0', ...behaviour }));
  };
  const log = () =>
    readFileSync(join(root, 'stand-in.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { args: string[]; home: string | null; offline: string | null });

  it('is one of the kinds', () => {
    assert.equal(createKinds({ node: '/n', dist: '/d', environment: {} }).get('pi')?.label, 'Pi');
  });

  it('is started under the home of the profile, with the prompt on standard input', () => {
    assert.deepEqual(pi.launch(profile, { posture: 'auto' }), {
      argv: [join(bin, 'pi'), '-p', '--mode', 'json'],
      env: { PI_CODING_AGENT_DIR: folder },
    });
    assert.deepEqual(pi.launch(own, { posture: 'auto' }).env, {});
  });

  for (const posture of ['ask', 'read-only'] as const) {
    it(`has only tools that read with ${posture}: Pi asks before none`, () => {
      const { argv } = pi.launch(own, { posture });
      assert.deepEqual(argv.slice(4), ['--tools', 'read,grep,find,ls', '--no-mcp', '--no-extensions']);
    });
  }

  it('takes a model and a session, and refuses what would be read as an option', () => {
    const options = { posture: 'auto', model: 'vendor/some-model', resume: 'abc' } as const;
    const { argv } = pi.launch(own, options);
    assert.deepEqual(argv.slice(4), ['--model', 'vendor/some-model', '--session-id', 'abc']);
    for (const odd of [{ model: '--tools' }, { resume: '-c' }, { resume: '' }]) {
      assert.throws(() => pi.launch(own, { posture: 'auto', ...odd }), { reason: 'invalid_input' });
    }
  });

  it('refuses to start where there is no Pi, and tells how to install it', () => {
    const missing = createPiKind({ environment: { PATH: '/nowhere' } });
    assert.throws(() => missing.launch(own, { posture: 'auto' }), {
      reason: 'not_installed',
      message: /npm install -g @earendil-works\/pi-coding-agent$/,
    });
  });

  it('has no quota, and says so', async () => {
    const answer = await pi.readUsage(profile);
    assert.deepEqual([answer.status, answer.windows], ['unknown', []]);
    assert.match(answer.reason ?? '', /no quota/);
  });

  describe('probe', () => {
    const settings = join(folder, 'settings.json');
    const probe = () => pi.probe?.(profile, environment);

    it('asks about the provider of the settings, offline and without a refresh', async () => {
      writeFileSync(settings, '{ "defaultProvider": "anthropic" }');
      behave({ check: { exit: 0, text: '{"status":"ready","authType":"oauth"}' } });
      assert.deepEqual(await probe(), { version: '1.6.0', login: 'ok' });
      assert.deepEqual(log().at(-1), {
        args: ['auth', 'check', '--provider', 'anthropic', '--json', '--no-refresh'],
        home: folder,
        offline: '1',
      });
    });

    it('tells the command that logs in', async () => {
      behave({ check: { exit: 1, text: '{"status":"not_ready","reason":"x"}' } });
      const found = await probe();
      assert.equal(found?.login, 'not_logged_in');
      assert.match(found?.problem ?? '', /log in with: PI_CODING_AGENT_DIR=.* pi auth login anthropic$/);
    });

    it('does not know when Pi says something else', async () => {
      for (const text of ['', 'null', '{"status":"invalid"}', '{"status":']) {
        behave({ check: { exit: 2, text } });
        assert.equal((await probe())?.login, 'unknown');
      }
    });

    it('does not guess a provider', async () => {
      for (const text of ['{}', '{', '{ "defaultProvider": "--json" }']) {
        writeFileSync(settings, text);
        behave({});
        const found = await probe();
        assert.deepEqual([found?.version, found?.login], ['1.6.0', 'unknown']);
        assert.match(found?.problem ?? '', /add "defaultProvider" to .*settings\.json$/);
        assert.equal(log().length, 1);
      }
    });

    it('tells of a program that is not Pi, and of none', async () => {
      behave({ version: 'what' });
      assert.match((await probe())?.problem ?? '', /tells no version/);
      const none = await pi.probe?.(profile, { PATH: '/nowhere' });
      assert.deepEqual([none?.version, none?.login], [null, 'unknown']);
    });
  });
});

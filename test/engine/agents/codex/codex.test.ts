import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { confirmAccount } from '../../../../src/engine/accounts/confirmAccount.ts';
import { createCodexKind } from '../../../../src/engine/agents/codex/codex.ts';
import { createKinds } from '../../../../src/engine/agents/kinds.ts';
import { readRecording } from '../readRecording.ts';
import { CodexHome } from './codexHome.ts';

const thread = '01a22a26-01a3-7d80-bf0a-35a4a24f482e';
const quiet = ['exec', '--json', '-c', 'analytics.enabled=false', '-c', 'features.plugins=false'];
const file = ['-c', 'cli_auth_credentials_store="file"'];
const recorded = (name: string) => readRecording(`codex/app-server-${name}`).filter(Boolean);

describe('codex kind', function () {
  this.timeout(60_000);
  let home: CodexHome;
  before(() => (home = new CodexHome()));
  after(() => home.close());
  const command = () => join(home.root, 'bin', 'codex');

  it('is one of the kinds', () => {
    const kinds = createKinds({ node: '/opt/node', dist: '/opt/dist', environment: {} });
    assert.equal(kinds.get('codex')?.label, 'Codex');
  });

  describe('launch', () => {
    it('works in its own sandbox, under the home of the profile, with the prompt on standard input', () => {
      assert.deepEqual(home.codex.launch(home.profile, { posture: 'auto' }), {
        argv: [command(), ...quiet, ...file, '-s', 'workspace-write', '-'],
        env: { CODEX_HOME: home.profile.folder },
      });
    });

    for (const posture of ['ask', 'read-only'] as const) {
      it(`may only read with ${posture}: nobody answers a question`, () => {
        const { argv } = home.codex.launch(home.profile, { posture });
        assert.deepEqual(argv.slice(-3), ['-s', 'read-only', '-']);
      });
    }

    it('leaves the own home of Codex and its keyring alone', () => {
      assert.deepEqual(home.codex.launch(home.own, { posture: 'auto' }), {
        argv: [command(), ...quiet, '-s', 'workspace-write', '-'],
        env: {},
      });
    });

    it('takes a model and a session, the sandbox before them', () => {
      const { argv } = home.codex.launch(home.own, { posture: 'auto', model: 'some-model', resume: thread });
      const rest = ['-s', 'workspace-write', '--model=some-model', 'resume', thread, '-'];
      assert.deepEqual(argv.slice(-rest.length), rest);
    });

    it('works outside git only where the person trusts the folder of that run', () => {
      const argv = (trustCwd: boolean) =>
        home.codex.launch(home.own, { posture: 'ask', resume: thread, trustCwd }).argv;
      assert.deepEqual(argv(true).slice(-6), [
        '-s',
        'read-only',
        '--skip-git-repo-check',
        'resume',
        thread,
        '-',
      ]);
      assert.deepEqual(argv(false).slice(-5), ['-s', 'read-only', 'resume', thread, '-']);
    });

    it('refuses a session that would be read as something else', () => {
      for (const resume of ['', '--last', 'my thread', `${thread}x`]) {
        assert.throws(() => home.codex.launch(home.own, { posture: 'auto', resume }), {
          reason: 'invalid_input',
        });
      }
    });

    it('never goes without a sandbox', () => {
      for (const posture of ['auto', 'ask', 'read-only'] as const) {
        const { argv } = home.codex.launch(home.own, { posture });
        assert.equal(
          argv.some((word) => /dangerous|danger-full|full-auto/.test(word)),
          false,
        );
      }
    });

    it('refuses to start where there is no Codex, and tells how to install it', () => {
      const missing = createCodexKind({ environment: { PATH: '/nowhere' } });
      assert.throws(() => missing.launch(home.own, { posture: 'auto' }), {
        reason: 'not_installed',
        message: /npm install -g @openai\/codex$/,
      });
    });
  });

  it('gives a new profile a login of its own, and overwrites no settings', async () => {
    const folder = join(home.root, 'new');
    mkdirSync(folder);
    await home.codex.prepareProfile?.(folder);
    const config = join(folder, 'config.toml');
    assert.equal(readFileSync(config, 'utf8'), 'cli_auth_credentials_store = "file"\n');
    assert.equal(statSync(config).mode & 0o777, 0o600);
    await assert.rejects(home.codex.prepareProfile?.(folder) ?? Promise.resolve());
  });

  describe('quota', () => {
    it('is read by one question in an empty folder, under the account alone', async () => {
      home.behave({ reply: recorded('limits') });
      const answer = await home.codex.readUsage(home.profile);
      assert.deepEqual(
        [answer.status, answer.plan, answer.windows.map(({ id, free_pct }) => [id, free_pct])],
        [
          'ok',
          'plus',
          [
            ['5h', 58],
            ['weekly', 83],
          ],
        ],
      );
      const [start, ...asked] = home.log();
      assert.deepEqual([start?.['home'], start?.['key'], start?.['beside']], [home.profile.folder, null, []]);
      assert.equal(existsSync(String(start?.['cwd'])), false);
      assert.deepEqual(
        asked.map(({ method }) => method),
        ['initialize', 'initialized', 'account/rateLimits/read'],
      );
    });

    it('is read under the own home of Codex with no variable at all', async () => {
      home.behave({ reply: recorded('limits') });
      assert.equal((await home.codex.readUsage(home.own)).status, 'ok');
      assert.equal(home.log()[0]?.['home'], null);
    });

    const refused: [string, string, RegExp][] = [
      ['not-logged-in', 'not_logged_in', /log in with: CODEX_HOME='.*codex'\\''s.*' codex login$/],
      ['api-key', 'unknown', /API key/],
      ['expired', 'unknown', /no longer accepted; log in again with: /],
      ['throttled', 'unknown', /\(429\)$/],
    ];
    for (const [name, status, reason] of refused) {
      it(`gives the reason: ${name}`, async () => {
        home.behave({ reply: recorded(name) });
        const answer = await home.codex.readUsage(home.profile);
        assert.deepEqual([answer.status, answer.windows], [status, []]);
        assert.match(answer.reason ?? '', reason);
      });
    }

    it('is unknown when Codex ends without an answer, and says why', async () => {
      home.behave({ dies: 'Error loading config.toml' });
      const answer = await home.codex.readUsage(home.profile);
      assert.deepEqual(answer, {
        status: 'unknown',
        reason: 'Codex ended without an answer: Error loading config.toml',
        windows: [],
      });
    });

    it('is read from the midst of other output', async () => {
      home.behave({ floods: true, reply: recorded('limits') });
      assert.equal((await home.codex.readUsage(home.profile)).status, 'ok');
    });

    it('is unknown without Codex', async () => {
      const answer = await createCodexKind({ environment: { PATH: '/nowhere' } }).readUsage(home.own);
      assert.deepEqual([answer.status, answer.windows], ['unknown', []]);
      assert.match(answer.reason ?? '', /not installed/);
    });
  });

  describe('probe', () => {
    const probe = () => home.codex.probe?.(home.profile, home.environment);

    it('tells the version and that there is a login', async () => {
      home.behave({ version: 'codex-cli 0.171.0', login: { exit: 0, text: 'Logged in using ChatGPT' } });
      assert.deepEqual(await probe(), { version: '0.171.0', login: 'ok' });
      assert.deepEqual(
        home.log().map(({ home: folder, key }) => [folder, key]),
        [
          [null, null],
          [home.profile.folder, null],
          [home.profile.folder, null],
        ],
      );
    });

    describe('of its sandbox', () => {
      const loggedIn = { version: 'codex-cli 0.171.0', login: { exit: 0, text: 'Logged in using ChatGPT' } };
      const confirm = () =>
        confirmAccount({ kind: home.codex, profile: home.profile, environment: home.environment });

      it('refuses to start anything where there can be none, with the cure', async () => {
        home.behave({ ...loggedIn, sandbox: 'bwrap: No permissions to create new namespace' });
        const found = await probe();
        assert.deepEqual([found?.login, found?.blocked], ['ok', true]);
        assert.match(found?.problem ?? '', /\(bwrap: No permissions .*\); allow /);
        await assert.rejects(confirm(), { reason: 'refused', message: /^codex\/@one: Codex cannot make/ });
      });

      it('lets an account pass where it works, or where something else went wrong', async () => {
        home.behave(loggedIn);
        await confirm();
        home.behave({ ...loggedIn, sandbox: 'error: unrecognized subcommand' });
        assert.equal((await probe())?.problem, undefined);
        await confirm();
      });
    });

    it('tells the command that logs in', async () => {
      home.behave({ version: 'codex-cli 0.171.0', login: { exit: 1, text: 'Not logged in' } });
      const found = await probe();
      assert.equal(found?.login, 'not_logged_in');
      assert.match(found?.problem ?? '', /^Not logged in; log in with: CODEX_HOME=/);
    });

    it('does not take another failure for a missing login', async () => {
      home.behave({ version: 'codex-cli 0.171.0', login: { exit: 1, text: 'Error loading config.toml' } });
      assert.deepEqual(await probe(), {
        version: '0.171.0',
        login: 'unknown',
        problem: 'codex login status failed: Error loading config.toml',
      });
    });

    it('tells of a program that is not Codex, and of none', async () => {
      home.behave({ version: 'something else' });
      assert.match((await probe())?.problem ?? '', /tells no version/);
      const none = await home.codex.probe?.(home.profile, { PATH: '/nowhere' });
      assert.deepEqual([none?.version, none?.login], [null, 'unknown']);
      assert.match(none?.problem ?? '', /npm install -g @openai\/codex$/);
    });

    it('tells of a profile without a folder', async () => {
      home.behave({ version: 'codex-cli 0.171.0', login: { exit: 0, text: '' } });
      const gone = { ...home.profile, folder: join(home.root, 'gone') };
      const found = await home.codex.probe?.(gone, home.environment);
      assert.match(found?.problem ?? '', /does not exist; make it with: ak profiles add codex @one$/);
    });
  });

  describe('program', () => {
    const scope = () => join(home.root, 'lib', 'node_modules', '@openai');
    const binary = () =>
      join(
        scope(),
        `codex-${process.platform}-${process.arch}`,
        'vendor',
        `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-${process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'}`,
        'bin',
        'codex',
      );
    const put = (path: string) => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
    };
    const launched = () => {
      const script = join(scope(), 'codex', 'bin', 'codex.js');
      put(script);
      const bin = join(home.root, 'npm-bin');
      mkdirSync(bin, { recursive: true });
      rmSync(join(bin, 'codex'), { force: true });
      symlinkSync(script, join(bin, 'codex'));
      return createCodexKind({ environment: { PATH: bin } }).launch(home.own, { posture: 'auto' }).argv[0];
    };

    it('is the native one behind the script of the package', () => {
      put(binary());
      assert.equal(launched(), binary());
    });

    it('is the script where there is no native one', () => {
      rmSync(binary());
      assert.equal(launched(), join(home.root, 'npm-bin', 'codex'));
    });
  });

  describe('trust of a folder', () => {
    const lane = '/lanes/a "b" c';
    const trust = () => home.codex.trustFolder?.(home.profile, lane);
    const methods = () => home.log().flatMap(({ method }) => (method === undefined ? [] : [method]));
    const replies = (answer: object) =>
      home.behave({ reply: ['{"id":1}', JSON.stringify({ id: 2, ...answer })] });
    const projects = (level: string) => ({
      result: { config: { projects: { [lane]: { trust_level: level } } } },
    });

    it('is written by Codex itself, under the home of the profile', async () => {
      replies({ result: { config: { projects: null } } });
      await trust();
      assert.deepEqual(
        methods().filter((method) => /^config\//.test(method as string)),
        ['config/read', 'config/value/write'],
      );
      assert.deepEqual(
        new Set(home.log().flatMap(({ home: folder }) => (folder === undefined ? [] : [folder]))),
        new Set([home.profile.folder]),
      );
    });

    it('writes nothing where the folder is trusted already', async () => {
      replies(projects('trusted'));
      await trust();
      assert.ok(!methods().includes('config/value/write'));
    });

    it('is refused where the person said no', async () => {
      replies(projects('untrusted'));
      await assert.rejects(async () => trust(), { reason: 'refused', message: /@one.*is not trusted/ });
      assert.ok(!methods().includes('config/value/write'));
    });

    it('is refused with the words of Codex where its settings are damaged', async () => {
      replies({ error: { message: 'failed to load configuration: 1:9' } });
      await assert.rejects(async () => trust(), {
        reason: 'invalid_input',
        message: /failed to load configuration: 1:9/,
      });
      home.behave({ dies: 'no such home' });
      await assert.rejects(async () => trust(), { reason: 'invalid_input', message: /no such home/ });
    });
  });
});

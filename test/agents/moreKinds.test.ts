import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installMoreAgentClis } from '../../scripts/agentClis.mjs';
import type { LaunchOptions } from '../../src/engine/agents/agentKind.ts';
import { createKinds } from '../../src/engine/agents/kinds.ts';
import { findMarked } from '../../scripts/leftovers.mjs';
import { poll, StepFixture } from '../engine/process/stepFixture.ts';
import { ModelServer, type Scenario } from './modelServer.ts';
import { inventMoreLogin } from './moreLogins.ts';

/** What a CLI answers its model that calls a tool which is not offered. */
const refusals = {
  gemini: /Tool \\"(write_file|run_shell_command)\\" not found/,
  opencode: /^Model tried to call unavailable tool/,
};

for (const id of ['gemini', 'opencode'] as const) {
  describe(`the real ${id}`, function () {
    this.timeout(180_000);
    let fixture: StepFixture;
    let work: string;
    const server = new ModelServer();
    before(async () => {
      fixture = new StepFixture();
      await server.listen();
      const { bin } = installMoreAgentClis(process.env);
      Object.assign(fixture.environment, {
        PATH: [bin, process.env['PATH']].join(delimiter),
        HTTPS_PROXY: server.url,
        HTTP_PROXY: server.url,
        NO_PROXY: '127.0.0.1',
      });
      work = join(realpathSync(fixture.root), 'work');
      mkdirSync(work);
    });
    after(async () => {
      fixture.close();
      await server.close();
    });

    const kindOf = () => {
      const { dist, environment } = fixture;
      return createKinds({ node: process.execPath, dist, environment }).get(id) ?? assert.fail();
    };
    const home = (account: string) => join(fixture.root, 'profiles', id, account);

    /** Runs an agent under an account of its own; what it sent, and how it ended. */
    async function run(
      account: string,
      prompt: string,
      options: Partial<LaunchOptions> & { scenario?: Scenario; trusted?: boolean } = {},
    ) {
      const { scenario = 'answer', trusted = true, ...launched } = options;
      const kind = kindOf();
      const profile = { kind: id, name: `@${account}`, folder: home(account) };
      const key = inventMoreLogin(id, home(account), account, `${server.url}/s/${scenario}`);
      if (trusted) await kind.trustFolder?.(profile, work);
      const folder = fixture.folder();
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'prompt.md');
      writeFileSync(file, prompt);
      const { argv, env } = kind.launch(profile, { posture: 'auto', ...launched });
      const agent = { role: 'agent', kind: id, profile, cwd: work, stdin_file: file } as const;
      const launch = fixture.launch({ ...agent, argv, env });
      await fixture.start(launch, folder);
      const result = await fixture.result(folder, 110_000);
      await poll(`the end of all processes of ${folder}`, 10_000, () =>
        findMarked(`AGENTKIT_ATTEMPT=${folder}`).length === 0 ? true : undefined,
      );
      return { result, key, transcript: fixture.transcript(folder) };
    }

    it('answers under the account that was chosen, and goes on with its session', async () => {
      const { result, key } = await run('one', 'The word is `marmalade` $(no) 🎈.');
      assert.equal(result.outcome, 'succeeded', result.message);
      assert.equal(result.result_text, 'Hello from the model of the test.');
      assert.ok((result.usage?.input_tokens ?? 0) > 0, JSON.stringify(result.usage));
      const first = server.requests.findLast(({ told }) => told.join('\n').includes('marmalade'));
      assert.equal(first?.login, key);
      assert.match(first.told.join('\n'), /The word is `marmalade` \$\(no\) 🎈\./);
      assert.ok(result.session_id !== undefined);
      const profile = { kind: id, name: '@one', folder: home('one') };
      const has = (session: string, place: string) => kindOf().hasSession?.(profile, session, place);
      assert.equal(await has(result.session_id, work), true);
      assert.equal(await has(result.session_id, fixture.root), false, 'it goes on in its own folder only');
      assert.equal(await has(result.session_id.replace(/^.{8}/, 'ses_0000'), work), false);
      const second = await run('one', 'Which word?', { resume: result.session_id });
      assert.equal(second.result.session_id, result.session_id, second.result.message);
      assert.deepEqual(second.result.usage, result.usage, 'the first run counts in the second');
      const last = server.requests.findLast(({ told }) => told.join('\n').includes('Which word?'));
      assert.match(last?.told.join('\n') ?? '', /marmalade[^]*Which word\?/);
      assert.equal(await has(result.session_id, work), true, 'and can be gone on with again');
    });

    it('writes nothing where it only reads or would have to ask, and what it is told to where it works alone', async () => {
      const [file, made] = [join(work, 'written.txt'), join(work, 'made.txt')];
      const words = 'Write two files';
      const steps = [{ write: { path: file, content: 'one\n' } }, { shell: 'echo two > made.txt' }];
      server.teach({ when: words, say: 'That is all.', steps });
      const tried = async (posture: LaunchOptions['posture']) => {
        const earlier = server.requests.length;
        const { result, transcript } = await run('two', words, { posture });
        // OpenCode has a title made first, of the same words.
        const asked = server.requests
          .slice(earlier)
          .filter(({ told }) => !/^Generate a title/.test(told[0] ?? ''));
        return { result, transcript, answered: asked.map(({ results }) => results) };
      };
      for (const posture of ['read-only', 'ask'] as const) {
        const { result, transcript, answered } = await tried(posture);
        assert.ok(!existsSync(file) && !existsSync(made), `it wrote with ${posture}`);
        if (id === 'opencode' && posture === 'ask') {
          // It ends with the first call that nobody permits.
          assert.deepEqual([result.outcome, answered], ['failed', [[]]]);
          const told = transcript.map(({ text }) => text).join('\n');
          assert.match(told, /^write failed: The user rejected permission/m);
        } else {
          assert.deepEqual([result.outcome, result.exit], ['succeeded', 0], result.message);
          assert.equal(result.result_text, 'That is all.');
          assert.deepEqual(
            answered.map(({ length }) => length),
            [0, 1, 2],
            'it answered the call of each tool',
          );
          answered.at(-1)?.forEach((answer) => assert.match(answer, refusals[id]));
        }
      }
      const { result, answered } = await tried('auto');
      assert.deepEqual([result.outcome, result.result_text], ['succeeded', 'That is all.'], result.message);
      answered.at(-1)?.forEach((answer) => assert.doesNotMatch(answer, refusals[id]));
      assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(made, 'utf8')], ['one\n', 'two\n']);
    });

    if (id === 'gemini') {
      it('is ended when it would sleep until its quota resets, and tells when that is', async () => {
        const before = Date.now();
        const { result } = await run('used', 'Beyond the quota', { scenario: 'usage_limit' });
        assert.equal(result.outcome, 'failed');
        assert.match(result.message ?? '', /would hang/);
        const reset = Date.parse(result.limit?.resets_at ?? '');
        assert.ok(
          reset >= before + 7_200_000 && reset <= Date.now() + 7_200_000,
          JSON.stringify(result.limit),
        );
      });

      it('does not start in a folder that nobody trusts', async () => {
        const { result } = await run('distrusting', 'In a strange folder', { trusted: false });
        assert.deepEqual([result.outcome, result.exit, result.refused?.reason], ['failed', 55, 'trust']);
        assert.match(
          result.message ?? '',
          /^Ended with exit code 55: [^\p{Cc}]*not running in a trusted[^\p{Cc}]*$/u,
        );
        assert.equal(
          server.requests.some(({ told }) => told.join().includes('In a strange folder')),
          false,
        );
      });
    }
  });
}

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { poll } from '../engine/process/stepFixture.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, testedKinds } from './testedKinds.ts';

for (const kind of kindNames) {
  describe(`ak run with the real ${kind}`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
      world.account(kind, '@one');
      world.account(kind, '@two');
    });
    after(() => world.dispose());

    it('answers, under the account that was chosen and no other', async () => {
      const answer = await world.akRun({ kind, account: '@two', prompt: 'Just say hello.' });
      assert.deepEqual([answer.exit, answer.cli_exit], [0, 0], answer.error?.message);
      assert.deepEqual([answer.kind, answer.profile, answer.cwd], [kind, '@two', world.repo]);
      assert.equal(answer.result_text, 'Hello from the model of the test.');
      assert.match(answer.session_id ?? '', /^[0-9a-f-]{36}$/);
      assert.ok((answer.usage?.input_tokens ?? 0) > 0, JSON.stringify(answer.usage));
      assert.deepEqual(world.accountsThatSent('Just say hello.'), [`${kind}/@two`]);
      assert.ok(existsSync(join(world.home(kind, '@two'), testedKinds[kind].sessions)));
      assert.ok(!existsSync(join(world.home(kind, '@one'), testedKinds[kind].sessions)));
      assert.deepEqual(readdirSync(join(world.root, 'home')), [], 'the home of the machine was touched');
    });

    it('lets it write and edit files and run commands with its own tools', async () => {
      world.write('notes.txt', 'first\nsecond\n');
      world.server.teach({
        when: 'Write three files',
        say: 'Three are written.',
        steps: [
          { write: { path: 'new.txt', content: 'one\ntwo\n' } },
          { replace: { path: 'notes.txt', find: 'second', with: 'changed' } },
          { shell: 'echo "$AGENTKIT_ACTIVE_ACCOUNT $AGENTKIT_ATTEMPT" > marked.txt' },
        ],
      });
      const answer = await world.akRun({ kind, account: '@one', prompt: 'Write three files' });
      assert.equal(answer.exit, 0, answer.error?.message);
      assert.equal(answer.result_text, 'Three are written.');
      assert.equal(world.read('new.txt'), 'one\ntwo\n');
      assert.equal(world.read('notes.txt'), 'first\nchanged\n');
      assert.equal(world.read('marked.txt'), `${kind}/@one run/${answer.run_folder?.split('/').at(-1)}\n`);
    });

    for (const posture of ['read-only', 'ask'] as const) {
      it(`refuses its tools with --${posture}, by which it writes a file otherwise`, async () => {
        const words = `Try to write with ${posture}`;
        const files = [`${posture}-by-tool.txt`, `${posture}-by-command.txt`] as const;
        const there = () => files.filter((file) => existsSync(join(world.repo, file)));
        const steps = [{ write: { path: files[0], content: 'no\n' } }, { shell: `echo no > ${files[1]}` }];
        world.server.teach({ when: words, say: 'That is all.', steps });
        const tried = async (choice: typeof posture | 'auto') => {
          const earlier = world.server.requests.length;
          const answer = await world.akRun({ kind, account: '@one', posture: choice, prompt: words });
          assert.deepEqual([answer.exit, answer.cli_exit, answer.error], [0, 0, undefined]);
          assert.deepEqual([answer.profile, answer.result_text], ['@one', 'That is all.']);
          const asked = world.server.requests.slice(earlier);
          assert.ok(asked.every(({ told }) => told.some((text) => text.includes(words))));
          assert.deepEqual(
            asked.map(({ results }) => results.length),
            [0, 1, 2],
            'it answered the call of each tool',
          );
          return asked.at(-1)?.results ?? [];
        };
        const refused = testedKinds[kind].refusals[posture];
        const results = await tried(posture);
        results.forEach((result, index) => assert.match(result, refused[index] ?? /^never$/));
        assert.deepEqual(there(), []);
        const allowed = await tried('auto');
        allowed.forEach((result, index) => assert.doesNotMatch(result, refused[index] ?? /^/));
        assert.deepEqual(there(), files);
      });
    }

    it('goes on with a session', async () => {
      const first = await world.akRun({ kind, account: '@one', prompt: 'The word is marmalade.' });
      assert.ok(first.session_id !== undefined);
      const resume = first.session_id;
      const second = await world.akRun({ kind, account: '@one', prompt: 'Which word?', resume });
      assert.equal(second.exit, 0, second.error?.message);
      assert.equal(second.session_id, resume);
      // Each asked the model once, and the model of the test always counts the same.
      assert.ok((first.usage?.input_tokens ?? 0) > 0 && (first.usage?.output_tokens ?? 0) > 0);
      assert.deepEqual(second.usage, first.usage, 'the first run counts in the second');
      const told = world.server.requests.at(-1)?.told.join('\n') ?? '';
      assert.match(told, /The word is marmalade\.[^]*Which word\?/);
    });

    it('hands on every character of a long prompt, and none in an argument', async () => {
      const awkward = '`rm` $(touch pwned) "it\'s" \\n %s ü 🎈 \u202e ${HOME} <b>&amp;\n\n\ttab\n';
      const prompt = `Begin of it\n${awkward}${'0123456789abcde\n'.repeat(12_800)}${awkward}the end`;
      const answer = await world.akRun({ kind, account: '@one', prompt });
      assert.equal(answer.exit, 0, answer.error?.message);
      const told = world.server.requests.at(-1)?.told.join('\n') ?? '';
      assert.ok(told.includes(prompt), `the model got ${told.length} characters of ${prompt.length}`);
      assert.ok(!existsSync(join(world.repo, 'pwned')));
      const launch = readFileSync(join(answer.run_folder ?? '', 'launch.json'), 'utf8');
      assert.doesNotMatch(launch, /pwned/);
    });

    it('ends it at its time, or at Ctrl+C, with the command that it waits for', async () => {
      world.server.teach({
        when: 'Wait for ever',
        say: 'Never said.',
        steps: [{ shell: 'tail -f /dev/null; echo' }],
      });
      const isTail = ({ command }: { command: string }) => command === 'tail -f /dev/null';
      const tail = () => poll('its command', 20_000, () => world.living().find(isTail));
      const timed = world.beginAk({ kind, account: '@one', prompt: 'Wait for ever', timeoutS: 6 });
      const cancelled = world.beginAk({ kind, account: '@two', prompt: 'Wait for ever' });
      await tail();
      const answer = await timed.ended;
      assert.equal(answer.code, 4, answer.out);
      await tail();
      cancelled.child.kill('SIGINT');
      const { exit, error } = await world.answer(cancelled);
      assert.deepEqual([exit, error?.reason], [5, 'cancelled']);
      assert.deepEqual(world.living(), []);
    });

    it('ends it at Ctrl+C while its model is silent', async () => {
      world.account(kind, '@slow', 'slow');
      const running = world.beginAk({ kind, account: '@slow', prompt: 'Answer slowly' });
      await poll('the request', 20_000, () => world.accountsThatSent('Answer slowly')[0]);
      running.child.kill('SIGINT');
      const answer = await world.answer(running);
      assert.deepEqual([answer.exit, answer.error?.reason], [5, 'cancelled']);
      assert.ok(answer.duration_s < 20, `took ${answer.duration_s} s`);
    });
  });
}

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { requestStop } from '../../src/engine/process/steps.ts';
import { poll } from '../engine/process/stepFixture.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, testedKinds } from './testedKinds.ts';

for (const kind of kindNames) {
  describe(`the real ${kind}`, function () {
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
      const result = await world.run({ kind, account: '@two', prompt: 'Just say hello.' });
      assert.equal(result.outcome, 'succeeded', result.message);
      assert.equal(result.exit, 0);
      assert.equal(result.result_text, 'Hello from the model of the test.');
      assert.match(result.session_id ?? '', /^[0-9a-f-]{36}$/);
      assert.ok((result.usage?.input_tokens ?? 0) > 0, JSON.stringify(result.usage));
      assert.deepEqual(world.accountsThatSent('Just say hello.'), [`${kind}/@two`]);
      assert.ok(existsSync(join(world.home(kind, '@two'), testedKinds[kind].sessions)));
      assert.ok(!existsSync(join(world.home(kind, '@one'), testedKinds[kind].sessions)));
      assert.deepEqual(readdirSync(join(world.root, 'home')), [], 'the home of the machine was touched');
    });

    it('writes and edits files and runs commands with its own tools', async () => {
      world.write('notes.txt', 'first\nsecond\n');
      world.server.teach({
        when: 'Write three files',
        say: 'Three are written.',
        steps: [
          { write: { path: 'new.txt', content: 'one\ntwo\n' } },
          { replace: { path: 'notes.txt', find: 'second', with: 'changed' } },
          { shell: 'echo "$AGENTKIT_ATTEMPT" > marked.txt' },
        ],
      });
      const folder = await world.start({ kind, account: '@one', prompt: 'Write three files' });
      const result = await world.ended(folder);
      assert.equal(result.outcome, 'succeeded', result.message);
      assert.equal(result.result_text, 'Three are written.');
      assert.equal(world.read('new.txt'), 'one\ntwo\n');
      assert.equal(world.read('notes.txt'), 'first\nchanged\n');
      assert.equal(world.read('marked.txt'), `${folder}\n`);
    });

    it('writes nothing when it may only read', async () => {
      world.server.teach({
        when: 'Try to write',
        say: 'That was not allowed.',
        steps: [{ write: { path: 'forbidden.txt', content: 'no\n' } }],
      });
      await world.run({ kind, account: '@one', posture: 'read-only', prompt: 'Try to write' });
      assert.ok(!existsSync(join(world.repo, 'forbidden.txt')));
      await world.run({ kind, account: '@one', posture: 'auto', prompt: 'Try to write' });
      assert.ok(existsSync(join(world.repo, 'forbidden.txt')));
    });

    it('goes on with its session', async () => {
      const first = await world.run({ kind, account: '@one', prompt: 'The word is marmalade.' });
      assert.ok(first.session_id !== undefined);
      const resume = first.session_id;
      const second = await world.run({ kind, account: '@one', prompt: 'Which word?', resume });
      assert.equal(second.outcome, 'succeeded', second.message);
      assert.equal(second.session_id, resume);
      const told = world.server.requests.at(-1)?.told.join('\n') ?? '';
      assert.match(told, /The word is marmalade\.[^]*Which word\?/);
    });

    it('gets every character of a long prompt', async () => {
      const awkward = '`rm` $(touch pwned) "it\'s" \\n %s ü 🎈 \u202e ${HOME} <b>&amp;\n\n\ttab\n';
      const prompt = `Begin of it\n${awkward}${'0123456789abcde\n'.repeat(12_800)}${awkward}the end`;
      const result = await world.run({ kind, account: '@one', prompt });
      assert.equal(result.outcome, 'succeeded', result.message);
      const told = world.server.requests.at(-1)?.told.join('\n') ?? '';
      assert.ok(told.includes(prompt), `the model got ${told.length} characters of ${prompt.length}`);
      assert.ok(!existsSync(join(world.repo, 'pwned')));
    });

    it('is ended by the time limit, with the command that it waits for', async () => {
      world.server.teach({
        when: 'Wait for ever',
        say: 'Never said.',
        steps: [{ shell: 'tail -f /dev/null; echo' }],
      });
      const folder = await world.start({ kind, account: '@one', prompt: 'Wait for ever', timeoutS: 8 });
      const isTail = ({ command }: { command: string }) => command === 'tail -f /dev/null';
      await poll('its command', 20_000, () => world.processes(folder).find(isTail));
      const result = await world.ended(folder);
      assert.equal(result.outcome, 'timeout');
      assert.deepEqual(world.processes(folder), []);
    });

    it('stops when asked to, while its model is silent', async () => {
      world.account(kind, '@slow', 'slow');
      const folder = await world.start({ kind, account: '@slow', prompt: 'Answer slowly' });
      await poll('the request', 20_000, () => world.accountsThatSent('Answer slowly')[0]);
      await requestStop(folder);
      const result = await world.ended(folder);
      assert.equal(result.outcome, 'stopped');
      assert.ok(result.duration_s < 20, `took ${result.duration_s} s`);
    });
  });
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRunAnswer } from '../../src/engine/createAgentRuns.ts';
import { stepResultSchema } from '../../src/engine/process/launch.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, testedKinds } from './testedKinds.ts';

for (const kind of kindNames) {
  const { refused, model, tellsLimits } = testedKinds[kind];

  describe(`ak run with the real ${kind}, refused by its vendor`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
    });
    after(() => world.dispose());

    it('tells a limit of the account, and when it resets, as far as it knows', async () => {
      world.account(kind, '@used', 'usage_limit');
      const answer = await world.akRun({ kind, account: '@used', prompt: 'Beyond the limit' });
      requireFailure(answer, refused);
      assert.deepEqual(world.accountsThatSent('Beyond the limit'), [`${kind}/@used`]);
      if (!tellsLimits) {
        assert.deepEqual([answer.limit, answer.refused?.reason], [undefined, 'throttled']);
        return;
      }
      const resets_at = new Date(world.server.reset * 1000).toISOString();
      assert.deepEqual(answer.limit, { window: '5h', resets_at });
      assert.equal(answer.refused, undefined);
      const used = windowsOf(answer)?.map(({ id, used_pct }) => [id, used_pct]);
      assert.deepEqual(used, [
        ['5h', 100],
        ['weekly', 17],
      ]);
    });

    it('tells a throttled request from a limit', async () => {
      world.account(kind, '@throttled', 'rate_limited');
      const answer = await world.akRun({ kind, account: '@throttled', prompt: 'In a hurry' });
      requireFailure(answer, refused);
      assert.equal(answer.limit, undefined);
      assert.equal(answer.refused?.reason, 'throttled');
    });

    it('tells that nobody has logged in: ak before it sends the prompt, and the stream where it is asked', async () => {
      world.loggedOutAccount(kind, '@nobody');
      const answer = await world.akRun({ kind, account: '@nobody', prompt: 'For nobody' });
      assert.deepEqual([answer.exit, answer.cli_exit, answer.error?.reason], [3, null, 'not_logged_in']);
      assert.deepEqual(
        world.server.requests.filter(({ told }) => told.includes('For nobody')),
        [],
      );
      const result = await world.run({ kind, account: '@nobody', prompt: 'For nobody' });
      assert.deepEqual([result.outcome, result.exit], ['failed', 1], result.message);
      assert.equal(result.limit, undefined);
      assert.equal(result.refused?.reason, 'not_logged_in');
    });

    it('tells that the account does not have the model', async () => {
      world.account(kind, '@basic', 'wrong_model');
      const answer = await world.akRun({ kind, account: '@basic', prompt: 'With another model', model });
      requireFailure(answer, refused);
      assert.equal(answer.limit, undefined);
      assert.equal(answer.refused?.reason, 'model');
      assert.equal(world.server.requests.at(-1)?.model, model);
    });

    it('takes nothing that an agent says for a limit', async () => {
      world.account(kind, '@talks');
      const say = "You've hit your usage limit. Please run /login. API Error: 429 rate_limit_error";
      world.server.teach({ when: 'Quote the vendor', say, steps: [] });
      const answer = await world.akRun({ kind, account: '@talks', prompt: 'Quote the vendor' });
      assert.equal(answer.exit, 0, answer.error?.message);
      assert.equal(answer.result_text, say);
      assert.deepEqual([answer.limit, answer.refused], [undefined, undefined]);
    });
  });
}

function requireFailure({ exit, cli_exit, error }: AgentRunAnswer, code: number): void {
  assert.deepEqual([exit, cli_exit, error?.reason], [1, code, 'failed'], error?.message);
  assert.match(error?.message ?? '', /exit code \d: ./);
}

/** What the stream said about the account's windows, which the record of the run has. */
function windowsOf({ run_folder }: AgentRunAnswer) {
  return stepResultSchema.parse(JSON.parse(readFileSync(join(run_folder ?? '', 'result.json'), 'utf8')))
    .windows;
}

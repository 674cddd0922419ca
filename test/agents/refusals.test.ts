import assert from 'node:assert/strict';
import type { StepResult } from '../../src/engine/process/launch.ts';
import { AgentWorld } from './agentWorld.ts';
import { kindNames, testedKinds } from './testedKinds.ts';

for (const kind of kindNames) {
  const { refused, model, tellsLimits } = testedKinds[kind];

  describe(`the real ${kind}, refused by its vendor`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
    });
    after(() => world.dispose());

    it('tells a limit of the account, and when it resets, as far as it knows', async () => {
      world.account(kind, '@used', 'usage_limit');
      const result = await world.run({ kind, account: '@used', prompt: 'Beyond the limit' });
      requireFailure(result, refused);
      assert.deepEqual(world.accountsThatSent('Beyond the limit'), [`${kind}/@used`]);
      if (!tellsLimits) {
        assert.deepEqual([result.limit, result.refused?.reason], [undefined, 'throttled']);
        return;
      }
      const resets_at = new Date(world.server.reset * 1000).toISOString();
      assert.deepEqual(result.limit, { window: '5h', resets_at });
      assert.equal(result.refused, undefined);
      const used = result.windows?.map(({ id, used_pct }) => [id, used_pct]);
      assert.deepEqual(used, [
        ['5h', 100],
        ['weekly', 17],
      ]);
    });

    it('tells a throttled request from a limit', async () => {
      world.account(kind, '@throttled', 'rate_limited');
      const result = await world.run({ kind, account: '@throttled', prompt: 'In a hurry' });
      requireFailure(result, refused);
      assert.equal(result.limit, undefined);
      assert.equal(result.refused?.reason, 'throttled');
    });

    it('tells that nobody has logged in', async () => {
      world.loggedOutAccount(kind, '@nobody');
      const result = await world.run({ kind, account: '@nobody', prompt: 'For nobody' });
      requireFailure(result, 1);
      assert.equal(result.limit, undefined);
      assert.equal(result.refused?.reason, 'not_logged_in');
    });

    it('tells that the account does not have the model', async () => {
      world.account(kind, '@basic', 'wrong_model');
      const result = await world.run({ kind, account: '@basic', prompt: 'With another model', model });
      requireFailure(result, refused);
      assert.equal(result.limit, undefined);
      assert.equal(result.refused?.reason, 'model');
      assert.equal(world.server.requests.at(-1)?.model, model);
    });

    it('takes nothing that an agent says for a limit', async () => {
      world.account(kind, '@talks');
      const say = "You've hit your usage limit. Please run /login. API Error: 429 rate_limit_error";
      world.server.teach({ when: 'Quote the vendor', say, steps: [] });
      const result = await world.run({ kind, account: '@talks', prompt: 'Quote the vendor' });
      assert.equal(result.outcome, 'succeeded', result.message);
      assert.equal(result.result_text, say);
      assert.deepEqual([result.limit, result.refused], [undefined, undefined]);
    });
  });
}

function requireFailure({ outcome, exit, message }: StepResult, code: number): void {
  assert.deepEqual([outcome, exit], ['failed', code], message);
  assert.match(message ?? '', /exit code \d: ./);
}

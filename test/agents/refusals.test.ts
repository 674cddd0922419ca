import assert from 'node:assert/strict';
import type { StepResult } from '../../src/engine/process/launch.ts';
import { AgentWorld } from './agentWorld.ts';
import type { TestedKind } from './inventedLogins.ts';

const kinds: readonly TestedKind[] = ['claude', 'codex'];

for (const kind of kinds) {
  describe(`the real ${kind}, refused by its vendor`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
    });
    after(() => world.dispose());

    it('tells a limit of the account, and when it resets', async () => {
      world.account(kind, '@used', 'usage_limit');
      const result = await world.run({ kind, account: '@used', prompt: 'Beyond the limit' });
      requireFailure(result);
      const resets_at = new Date(world.server.reset * 1000).toISOString();
      assert.deepEqual(result.limit, { window: '5h', resets_at });
      assert.equal(result.refused, undefined);
      const used = result.windows?.map(({ id, used_pct }) => [id, used_pct]);
      assert.deepEqual(used, [
        ['5h', 100],
        ['weekly', 17],
      ]);
      assert.deepEqual(world.accountsThatSent('Beyond the limit'), [`${kind}/@used`]);
    });

    it('tells a throttled request from a limit', async () => {
      world.account(kind, '@throttled', 'rate_limited');
      const result = await world.run({ kind, account: '@throttled', prompt: 'In a hurry' });
      requireFailure(result);
      assert.equal(result.limit, undefined);
      assert.equal(result.refused?.reason, 'throttled');
    });

    it('tells that nobody has logged in', async () => {
      world.loggedOutAccount(kind, '@nobody');
      const result = await world.run({ kind, account: '@nobody', prompt: 'For nobody' });
      requireFailure(result);
      assert.equal(result.limit, undefined);
      assert.equal(result.refused?.reason, 'not_logged_in');
    });

    it('tells that the account does not have the model', async () => {
      world.account(kind, '@basic', 'wrong_model');
      const model = kind === 'claude' ? 'claude-test-1' : 'gpt-test-1';
      const result = await world.run({ kind, account: '@basic', prompt: 'With another model', model });
      requireFailure(result);
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

function requireFailure({ outcome, exit, message }: StepResult): void {
  assert.deepEqual([outcome, exit], ['failed', 1], message);
  assert.match(message ?? '', /exit code 1: ./);
}

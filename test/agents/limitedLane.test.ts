import assert from 'node:assert/strict';
import { AgentWorld } from './agentWorld.ts';

describe('a lane whose real agent reaches a limit', function () {
  this.timeout(120_000);
  let world: AgentWorld;
  before(async () => {
    world = new AgentWorld();
    await world.open();
    world.account('claude', '@used', 'usage_limit');
    world.account('codex', '@used', 'usage_limit');
    world.account('codex', '@free');
    world.server.teach({
      when: 'Do the free piece.',
      say: 'Done.',
      steps: [{ write: { path: 'free.txt', content: 'free\n' } }],
    });
  });
  after(() => world.dispose());

  it('stops with the reason and the reset, and leaves the lane beside it alone', async () => {
    const kit = await world.kit();
    const text = world.plan([
      { id: 'first', kind: 'claude', account: 'claude/@used', prompt: 'Do the first piece.', steps: [] },
      { id: 'second', kind: 'codex', account: 'codex/@used', prompt: 'Do the second piece.', steps: [] },
      { id: 'free', kind: 'codex', account: 'codex/@free', prompt: 'Do the free piece.', steps: [] },
    ]);
    const { lanes } = await (await kit.startRun({ text })).atRest;
    const [first, second, free] = lanes;
    assert.equal(free?.state, 'ready', free?.why_not.join());
    const reset = new Date(world.server.reset * 1000).toISOString();
    for (const limited of [first, second]) {
      assert.equal(limited?.state, 'blocked', limited?.why_not.join());
      const [attempt, ...more] = limited.attempts;
      assert.deepEqual(more, [], 'its account is the only one that the job may use');
      const reason = `the 5h limit of ${attempt?.account} is reached; resets at ${reset}`;
      assert.ok(limited.warnings.includes(reason), limited.warnings.join('\n'));
      assert.match(limited.why_not.join('\n'), new RegExp(`the soonest reset is ${reset}`));
    }
  });
});

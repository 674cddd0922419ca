import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listLeases, releaseLease, takeLease } from '../../../src/engine/accounts/leases.ts';
import { recorded } from '../agents/claude/recorded.ts';
import { RunWorld } from './runWorld.ts';

describe('the account of ak run', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => (world = new RunWorld()));
  afterEach(() => world.dispose());

  const hold = (account: string, owner = 'night/api') =>
    takeLease({ account, owner, environment: world.environment });
  /** How much of its window a demo account has used; those need no CLI, so picking is quick. */
  const demo = (...args: string[]) => world.run(['demo', ...args, '--', 'Take a note']);
  const settings = (text: string) => {
    mkdirSync(join(world.home, '.config', 'agentkit'), { recursive: true });
    writeFileSync(join(world.home, '.config', 'agentkit', 'settings.yaml'), text, { mode: 0o600 });
  };

  it('is the one with most room where none is named', async () => {
    world.setUsage('two', 5);
    assert.equal((await demo()).profile, '@two');
    world.setUsage('two', 60);
    assert.equal((await demo()).profile, '@one');
  });

  it('is never one that a writer has, also when that is the best; which is told when it is named', async () => {
    world.setUsage('two', 5);
    assert.equal(await hold('demo/@two'), true);
    assert.equal((await demo()).profile, '@one');
    const refused = await demo('@two');
    assert.deepEqual([refused.exit, refused.error?.reason], [1, 'conflict']);
    assert.match(refused.error?.message ?? '', /demo\/@two is in use by night\/api since 20.*--read-only/);
    await releaseLease({ owner: 'night/api', environment: world.environment });
    assert.equal((await demo('@two')).exit, 0);
  });

  it('is shared by whoever only reads', async () => {
    world.setUsage('two', 5);
    await hold('demo/@two');
    for (const named of [[], ['@two']]) {
      const answer = await demo(...named, '--read-only');
      assert.equal(answer.profile, '@two', answer.error?.message);
    }
    assert.deepEqual(
      (await listLeases(world)).map(({ owner }) => owner),
      ['night/api'],
    );
  });

  it('is another one for each of two that ask at once', async () => {
    const both = await Promise.all([demo(), demo()]);
    assert.deepEqual(both.map(({ profile }) => profile).sort(), ['@one', '@two']);
  });

  it('says with 1 why none qualifies, and when one will', async () => {
    world.setUsage('one', 100);
    await hold('demo/@two');
    const answer = await demo();
    assert.deepEqual([answer.exit, answer.profile, answer.error?.reason], [1, null, 'none_qualifies']);
    assert.match(answer.error?.message ?? '', /demo\/@one: .*; demo\/@two: .*soonest reset: 20/);
  });

  it('is the one of AGENTKIT_PROFILE or of the settings, but the one that is named wins, and pick means any', async () => {
    world.setUsage('two', 5);
    settings('default_profiles:\n  demo: "@one"\n');
    const run = async (args: string[], env = {}) =>
      (await world.run(['demo', ...args, '--', 'Take a note'], { env })).profile;
    assert.equal(await run([]), '@one');
    assert.equal(await run([], { AGENTKIT_PROFILE: '@two' }), '@two');
    assert.equal(await run(['@one'], { AGENTKIT_PROFILE: '@two' }), '@one');
    assert.equal(await run([], { AGENTKIT_PROFILE: 'pick' }), '@two');
  });

  it('is not one that the person left out, also when it is named', async () => {
    settings('accounts:\n  demo/@two: { exclude: true }\n');
    world.setUsage('two', 5);
    const refused = await demo('@two');
    assert.deepEqual([refused.exit, refused.error?.reason], [6, 'refused']);
    assert.equal((await demo()).profile, '@one');
  });

  it('has as many writers as the person gave it slots, one after another', async () => {
    settings('accounts:\n  demo/@two: { slots: 2 }\n');
    await hold('demo/@two');
    const began = performance.now();
    assert.equal((await demo('@two')).exit, 0);
    assert.ok(performance.now() - began > 2000, 'it began together with the other one');
    await hold('demo/@two', 'night/ui');
    assert.equal((await demo('@two')).error?.reason, 'conflict');
  });

  it('is benched by a limit that its run met, without anybody being asked', async () => {
    world.answer({
      run: recorded('limit-5h.jsonl').replaceAll(/"resetsAt": ?1796\d+/g, '"resetsAt":4085000000'),
      exit: 1,
    });
    assert.equal((await world.run(['claude', '@work', '--', 'x'])).limit?.window, '5h');
    const { out } = await world.ak(['pick', 'claude', '--count', '9', '--json']);
    const { chosen, rejected } = JSON.parse(out) as Record<string, { profile: string; reason?: string }[]>;
    assert.equal(
      chosen?.some(({ profile }) => profile === '@work'),
      false,
    );
    const benched = rejected?.find(({ profile }) => profile === '@work');
    assert.match(benched?.reason ?? '', /limit/);
  });

  it('is the one that the CLI itself names: another login than was read is 6, before the prompt is sent', async () => {
    assert.equal((await world.ak(['usage', 'claude', '--json'])).code, 0);
    const status = recorded('status-plan.json');
    world.answer({ status: status.replace('fake@example.com', 'somebody@example.com') });
    const refused = await world.run(['claude', '@work', '--', 'x']);
    assert.deepEqual([refused.exit, refused.error?.reason], [6, 'wrong_account'], refused.error?.message);
    assert.deepEqual([world.prompts(), await listLeases(world)], [[], []]);
    world.answer({});
    assert.equal((await world.run(['claude', '@work', '--', 'x'])).exit, 0);
  });

  it('is one of two profiles of a login that nobody has read, for two that begin at once', async () => {
    const success = JSON.stringify(recorded('success.jsonl'));
    const status = recorded('status-plan.json').replace('"loggedIn":true', '"loggedIn": true');
    world.answer({ status, during: `setTimeout(() => process.stdout.write(${success}), 4000);` });
    const both = await Promise.all(['@work', '@other'].map((name) => world.run(['claude', name, '--', 'x'])));
    const ends = both.map(({ exit, error }) => [exit, error?.reason]);
    assert.deepEqual(ends.toSorted(), [
      [0, undefined],
      [1, 'conflict'],
    ]);
    assert.equal(world.prompts().length, 1);
    assert.equal((await world.run(['claude', '@other', '--', 'x'])).exit, 0);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAccounts } from '../../src/engine/createAccounts.ts';
import { findProfile } from '../../src/engine/accounts/profiles.ts';
import { createKinds } from '../../src/engine/agents/kinds.ts';
import { installAgentClis } from '../../scripts/agentClis.mjs';
import { AgentWorld } from './agentWorld.ts';

/** Pi tells no quota. */
const kinds = ['claude', 'codex'] as const;

for (const kind of kinds) {
  describe(`accounts of the real ${kind}`, function () {
    this.timeout(60_000);
    let world: AgentWorld;
    before(async () => {
      world = new AgentWorld();
      await world.open();
      world.account(kind, '@one');
      world.loggedOutAccount(kind, '@nobody');
    });
    after(() => world.dispose());

    const options = () => ({ node: process.execPath, dist: world.dist, environment: world.environment });

    it('have the quota that the CLI itself reads, without a question to a model', async () => {
      // Claude Code answers from what was read less than a minute ago, whenever this world was made.
      world.account(kind, '@one');
      const began = performance.now();
      const readings = await createAccounts(options()).read({ kind, maxAgeS: 0 });
      assert.ok(performance.now() - began < 15_000, 'somebody was waited for in vain');
      const [own, nobody, one] = readings;
      assert.deepEqual([own?.profile, own?.status], ['@default', 'not_logged_in']);
      assert.deepEqual([nobody?.profile, nobody?.status], ['@nobody', 'not_logged_in']);
      assert.deepEqual([one?.profile, one?.status, one?.reason], ['@one', 'ok', undefined]);
      const used = one?.windows.map(({ id, used_pct }) => [id, used_pct]);
      assert.deepEqual(used, [
        ['5h', 42],
        ['weekly', 17],
      ]);
      assert.deepEqual(world.server.requests, []);
    });

    if (kind === 'codex') {
      // Claude Code takes its quota from its vendor's own host only, or from what it read lately: nothing to count.
      it('are asked once, however many want to know', async () => {
        rmSync(join(world.root, 'state', 'agentkit', 'usage.json'), { force: true });
        const before = world.server.visits.length;
        const asked = () =>
          world.server.visits.slice(before).filter((visit) => visit.endsWith('/wham/usage'));
        const read = (maxAgeS?: number) =>
          createAccounts(options()).read({ kind, ...(maxAgeS !== undefined && { maxAgeS }) });
        const answers = await Promise.all([read(), read()]);
        for (const readings of answers) assert.equal(readings.at(-1)?.windows[0]?.used_pct, 42);
        assert.equal(asked().length, 1, 'by two at once that know nothing');
        await read();
        assert.equal(asked().length, 1, 'by one that knows already');
        await read(0);
        assert.equal(asked().length, 2, 'by one that wants it anew');
      });
    }

    it('tell their version and login without leaving the machine', async () => {
      const before = world.server.visits.length;
      const found = createKinds(options()).get(kind);
      const probe = async (name: string) =>
        found?.probe?.(await findProfile(found, name, world.environment), world.environment);
      const one = await probe('@one');
      assert.equal(one?.login, 'ok', one?.problem);
      assert.ok(
        installAgentClis(process.env).versions[kind].includes(one.version ?? 'none'),
        one.version ?? '',
      );
      const nobody = await probe('@nobody');
      assert.equal(nobody?.login, 'not_logged_in');
      assert.match(nobody.problem ?? '', new RegExp(`${kind} (auth )?login`));
      assert.deepEqual(world.server.visits.slice(before), []);
    });

    it('are kept as numbers, without their tokens', () => {
      const cache = readFileSync(join(world.root, 'state', 'agentkit', 'usage.json'), 'utf8');
      assert.match(cache, /"used_pct": ?42/);
      assert.doesNotMatch(cache, /sk-ant|eyJ|refresh-|example\.invalid/);
    });
  });
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findCodex } from '../../src/engine/agents/codex/findCodex.ts';
import { quoteForShell } from '../../src/engine/agents/quoteForShell.ts';
import { AgentWorld } from './agentWorld.ts';

/** Runs a program where nobody may make user namespaces. */
const confined =
  'exec unshare --user --map-root-user sh -c \'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"\' sh';

describe('the sandbox of the real codex', function () {
  this.timeout(60_000);
  let world: AgentWorld;
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    world = new AgentWorld();
    await world.open();
    world.account('codex', '@one');
  });
  after(() => world?.dispose());

  const probe = async () => {
    const { kind, profile } = await world.find('codex', '@one');
    return kind.probe?.(profile, world.environment);
  };

  it('is known not to work where programs may make no user namespaces, and to work elsewhere', async () => {
    assert.deepEqual([(await probe())?.problem, (await probe())?.login], [undefined, 'ok']);
    const bin = join(world.root, 'confined');
    mkdirSync(bin);
    const codex = join(bin, 'codex');
    writeFileSync(
      codex,
      `#!/bin/sh\n${confined} ${quoteForShell(findCodex(world.environment) ?? '')} "$@"\n`,
    );
    chmodSync(codex, 0o755);
    assert.match(
      execFileSync(codex, ['--version'], { encoding: 'utf8' }),
      /codex/,
      'it can be confined here',
    );
    world.environment['PATH'] = [bin, world.environment['PATH']].join(delimiter);
    const found = await probe();
    assert.deepEqual([found?.login, found?.blocked], ['ok', true]);
    assert.match(found?.problem ?? '', /^Codex cannot make its sandbox, .*\(bwrap: .*\); allow /);
    // Why it must be known before: the run itself tells nothing of it.
    world.server.teach({ when: 'Make a file', say: 'Made.', steps: [{ shell: 'echo made > made.txt' }] });
    const result = await world.run({ kind: 'codex', account: '@one', prompt: 'Make a file' });
    assert.deepEqual([result.outcome, result.result_text], ['succeeded', 'Made.']);
    assert.ok(!existsSync(join(world.repo, 'made.txt')));
  });
});

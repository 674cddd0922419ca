import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from '../../../src/engine/process/platform/platform.ts';
import { kill, poll } from '../process/stepFixture.ts';
import { AkWorld } from './akWorld.ts';

/** `ak` that is interrupted while a vendor's CLI does not answer. */
describe('a CLI that is asked while ak is interrupted', function () {
  this.timeout(60_000);
  let world: AkWorld;
  let temporary: string;
  const begun: ChildProcess[] = [];
  beforeEach(() => {
    world = new AkWorld();
    temporary = join(world.root, 'tmp');
    mkdirSync(temporary);
    Object.assign(world.environment, { TMPDIR: temporary, NOTED: join(world.root, 'pid') });
  });
  afterEach(() => {
    for (const child of begun.splice(0)) child.kill('SIGKILL');
    if (existsSync(noted())) kill(pid());
    return world.dispose();
  });

  const noted = () => join(world.root, 'pid');
  const pid = () => Number(readFileSync(noted(), 'utf8'));
  const hangs = 'echo $$ > "$NOTED.new"; mv "$NOTED.new" "$NOTED"; exec sleep 50';

  async function begin(...args: string[]): Promise<ChildProcess> {
    const [command = '', ...rest] = world.argv(...args);
    const child = spawn(command, rest, { cwd: world.repo, env: world.env(), stdio: 'ignore' });
    begun.push(child);
    await poll('the CLI is asked', 20_000, () => existsSync(noted()) || undefined);
    return child;
  }

  async function nothingIsLeft(): Promise<void> {
    await poll('the end of the CLI', 3_000, () => platform.find(pid()) === null || undefined);
    assert.deepEqual(
      readdirSync(temporary).filter((name) => name.startsWith('agentkit-ask-')),
      [],
    );
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`ends with ak usage at ${signal}, and its folder is removed`, async () => {
      world.standIn('claude', hangs);
      const child = await begin('usage', 'claude');
      assert.equal(readdirSync(temporary).length, 1);
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [5, null]);
      await nothingIsLeft();
    });

  it('ends with ak also where a second signal ends that at once', async () => {
    world.standIn('claude', hangs);
    const child = await begin('usage', 'claude');
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    const [code, name] = (await ended) as [number | null, string | null];
    // Which of the two is seen last is not said.
    assert.deepEqual([code, name?.slice(0, 3)], [null, 'SIG']);
    await nothingIsLeft();
  });

  it('does not hold up the end of ak run', async () => {
    world.standIn('claude', hangs);
    const child = await begin('run', 'claude', '--', 'words');
    const before = performance.now();
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [5, null]);
    assert.ok(performance.now() - before < 10_000, 'it waited for the CLI');
    await nothingIsLeft();
  });

  it('is asked to its end where nobody interrupts', () => {
    world.standIn('claude', 'echo $$ > "$NOTED"; echo "2.1.197 (Claude Code)"');
    const { accounts } = world.answer(['usage', 'claude'], 0) as { accounts: { status: string }[] };
    assert.deepEqual(
      accounts.map(({ status }) => status),
      ['unknown'],
    );
    assert.deepEqual(readdirSync(temporary), []);
  });
});

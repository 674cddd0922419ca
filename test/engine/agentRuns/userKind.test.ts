import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunWorld } from './runWorld.ts';

describe('ak run with a kind that the person describes', function () {
  this.timeout(60_000);
  let world: RunWorld;
  beforeEach(() => {
    world = new RunWorld();
    // A stand-in for a CLI that nobody but this person has: it tells what it was given.
    const program = join(world.standIn.folder, 'mytool');
    writeFileSync(program, '#!/bin/sh\necho "{\\"text\\":\\"$(wc -c < "$1") bytes for $MYTOOL_HOME\\"}"\n');
    chmodSync(program, 0o755);
    const folder = join(world.home, '.config', 'agentkit');
    mkdirSync(folder, { recursive: true });
    const kind = '{ run: [mytool, "{prompt_file}"], result: "jsonl:$.text", home_env: MYTOOL_HOME }';
    writeFileSync(join(folder, 'settings.yaml'), `kinds:\n  mytool: ${kind}\n`, { mode: 0o600 });
    mkdirSync(join(world.root, 'profiles', 'mytool', 'mine'), { recursive: true, mode: 0o700 });
  });
  afterEach(() => world.dispose());

  it('works without code, under the profile that was named', async () => {
    const answer = await world.run(['mytool', '@mine', '--', '12345']);
    assert.equal(answer.exit, 0, answer.error?.message);
    assert.equal(answer.result_text, `5 bytes for ${join(world.root, 'profiles', 'mytool', 'mine')}`);
  });

  it('does not start where it would have to ask and does not say how', async () => {
    const answer = await world.run(['mytool', '@mine', '--ask', '--', '12345']);
    assert.deepEqual([answer.exit, answer.cli_exit], [6, null], answer.error?.message);
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AkWorld } from './akWorld.ts';

describe('ak with settings that are not in order', function () {
  this.timeout(60_000);
  let world: AkWorld;
  let plan: string;
  before(() => {
    world = new AkWorld(['one']);
    plan = join(world.root, 'plan.yaml');
    writeFileSync(plan, world.plan([{ id: 'job', steps: [], kind: 'mytool' }]));
  });
  after(() => world.dispose());

  function settings(text: string): void {
    const folder = join(world.home, '.config', 'agentkit');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.yaml'), text);
  }

  /** What a call answers that fails with this exit code. */
  const told = (args: readonly string[], code: number) => JSON.stringify(world.answer(args, code));

  /** Everything that may mean a kind of the settings. */
  const asks = () => [
    ['pick', 'mytool'],
    ['pick', 'mytool', '--lease', 'me', '--ttl', '60'],
    ['env', 'mytool'],
    ['usage', 'mytool'],
    ['run', 'mytool', '--prompt-file', plan],
    ['plan', 'check', plan],
  ];

  it('tells the place of a slip in a kind', () => {
    settings('kinds: {mytool: {run: "mytool x", result: text}}\n');
    for (const args of asks()) assert.match(told(args, 2), /settings\.yaml:1:23 kinds\.mytool\.run: /);
  });

  it('tells the place where they are no YAML, not that there is no such kind', () => {
    settings('kinds: [\n');
    for (const args of asks()) assert.match(told(args, 2), /settings\.yaml:\d+:\d+ /);
  });

  it('says that there is no such kind where they are in order', () => {
    settings('permissions: auto\n');
    for (const args of asks().slice(0, -1)) assert.match(told(args, 3), /There is no kind ..mytool/);
    assert.match(world.run(['plan', 'check', plan]).out, /unknown kind "mytool"/);
  });
});

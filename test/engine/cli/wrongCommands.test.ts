import assert from 'node:assert/strict';
import { AkWorld } from './akWorld.ts';

describe('ak and command lines that are not whole', function () {
  this.timeout(60_000);
  let world: AkWorld;
  before(() => {
    world = new AkWorld(['one']);
  });
  after(() => world.dispose());

  it('says that a command is missing, also to who wants JSON', () => {
    for (const [name, commands] of [
      ['lane', 'ls, show, '],
      ['plan', 'check, new'],
      ['orchestrate', 'start, '],
    ] as const) {
      const told = world.failure([name], 2);
      assert.ok(told.startsWith(`usage: A command is missing behind ak ${name}; it has ${commands}`), told);
    }
    assert.match(world.failure(['lane', 'attach', 'one'], 2), /unknown option '--json'/);
    assert.equal(world.answer(['lease'], 0)['schema'], 'leases-v1');
  });

  it('says that there is no such command where a plain call lists', () => {
    for (const name of ['lease', 'profiles', 'consent'])
      assert.match(
        world.failure([name, 'frob'], 2),
        new RegExp(`^usage: There is no command "frob" of ak ${name}; it has ls, add, `),
      );
    assert.equal(world.answer(['lease', 'ls'], 0)['schema'], 'leases-v1');
    assert.match(world.run(['lease', 'help']).out, /^Usage: ak lease /);
    assert.match(world.failure(['lane', 'frob'], 2), /unknown command 'frob'/);
  });

  it('names for a prompt only what the command takes', () => {
    const told = world.failure(['lane', 'tell', 'one'], 2);
    assert.match(told, /There is no prompt; put it behind --, or write -- - for standard input$/);
    assert.match(
      world.run(['run', 'demo']).err,
      /There is no prompt; .*, or name a file: --prompt-file FILE/,
    );
  });

  it('names the folder that is no prompt', () => {
    const { code, err } = world.run(['run', 'demo', '--prompt-file', world.root]);
    assert.deepEqual([code, err], [2, `ak: Cannot read ${world.root}: it is a folder (EISDIR).\n`]);
  });

  it('tells the next command so that a shell takes it', () => {
    for (const [file, word] of [
      ['sub dir/x.yaml', "'sub dir/x.yaml'"],
      ['plans/x.yaml', 'plans/x.yaml'],
    ] as const) {
      const { out } = world.run(['plan', 'new', file, 'A piece']);
      assert.ok(out.endsWith(`then: ak plan check ${word}\n`), out);
    }
  });
});

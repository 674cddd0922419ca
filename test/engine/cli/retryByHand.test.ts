import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AkWorld } from './akWorld.ts';

describe('ak with lanes by hand that could not be made at once', function () {
  this.timeout(120_000);
  let world: AkWorld;
  before(() => (world = new AkWorld(['one'])));
  after(() => world.dispose());

  it('says so by its exit code, also at a resume, and no more once they are open', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const settings = `version: 1\nworktree: { ports: { PORT: ${port}-${port} } }\n`;
      writeFileSync(join(world.repo, 'agentkit.yaml'), settings);
      world.git('add', 'agentkit.yaml');
      world.git('commit', '--quiet', '-m', 'a port of its own');
      assert.equal(world.run(['lane', 'create', 'mine']).code, 1);
      assert.match(world.run(['lane', 'retry', 'mine']).out, /^mine: blocked$/m);
      assert.equal(world.run(['lane', 'retry', 'mine']).code, 1);
      assert.equal(world.run(['orchestrate', 'resume', 'manual']).code, 1);
    } finally {
      server.close();
      await once(server, 'close');
    }
    const again = world.run(['lane', 'retry', 'mine']);
    assert.match(again.out, /^mine: open$/m);
    assert.equal(again.code, 0, again.err);
    const { path } = world.answer(['lane', 'open', 'mine'], 0) as { path: string };
    renameSync(path, `${path}.aside`);
    assert.match(
      world.failure(['lane', 'open', 'mine'], 3),
      /Its folder .*mine is gone\. If it lies on a drive, connect that; if it was moved, move it back; else "ak lane retry mine" makes it again/,
    );
    assert.match(world.run(['lane', 'ls']).out, /^mine +open +its folder is gone — its gate has not run$/m);
    assert.match(world.run(['lane', 'show', 'mine']).out, /^warning: Its folder .*ak lane retry mine/m);
    renameSync(`${path}.aside`, path);
    assert.equal(world.run(['lane', 'open', 'mine']).out, `${path}\n`);
    assert.doesNotMatch(world.run(['lane', 'ls']).out, /is gone/);
    const resumed = world.run(['orchestrate', 'resume', 'manual']);
    assert.equal(resumed.code, 0, resumed.err);
    assert.doesNotMatch(resumed.out, /Gate: \./);
  });
});

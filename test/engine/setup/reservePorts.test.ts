import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortRange } from '../../../src/core/plan/worktreeSettings.ts';
import { readPorts } from '../../../src/engine/setup/portFile.ts';
import { releasePorts, reservePorts } from '../../../src/engine/setup/reservePorts.ts';
import { stateFiles } from '../../../src/engine/store/paths.ts';
import { rejectsWith } from '../git/rejectsWith.ts';

const module = new URL('../../../src/engine/setup/reservePorts.ts', import.meta.url).href;

describe('reservePorts', function () {
  this.timeout(60_000);
  let stateFolder: string;
  const servers: Server[] = [];
  beforeEach(() => (stateFolder = mkdtempSync(join(tmpdir(), "agentkit ports it's ü "))));
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    rmSync(stateFolder, { recursive: true, force: true });
  });

  /** A server of somebody else's. */
  async function listen(host: string, port: number): Promise<void> {
    const server = createServer();
    servers.push(server);
    server.listen({ host, port, ipv6Only: host.includes(':') });
    await once(server, 'listening');
  }

  async function stopListening(): Promise<void> {
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
  }

  const reserve = (owner: string, ports: Record<string, PortRange>, previous?: Record<string, number>) =>
    reservePorts({ stateFolder, owner, ports, ...(previous && { previous }) });

  const wide = { PORT: { from: 21000, to: 21900 } };

  /** Ports that were all free a moment ago. */
  async function freeRange(count: number): Promise<PortRange> {
    for (let from = 22000 + Math.floor(Math.random() * 5000); ; from += count) {
      const port = await reserve('look', { PORT: { from, to: from + 400 } });
      await releasePorts({ stateFolder, owner: 'look' });
      if (port['PORT'] === from) return { from, to: from + count - 1 };
    }
  }

  it('gives no two lanes and no two variables the same, and a lane the same again', async () => {
    const one = await reserve('r/one', { ...wide, API_PORT: wide.PORT });
    const two = await reserve('r/two', wide);
    assert.equal(new Set([...Object.values(one), ...Object.values(two)]).size, 3);
    for (const port of Object.values(one)) assert.ok(port >= 21000 && port <= 21900);
    assert.deepEqual(await reserve('r/one', { ...wide, API_PORT: wide.PORT }), one);
    assert.deepEqual(await reserve('r/two', wide), two);
  });

  it('reserves nothing where nothing is asked for', async () => {
    assert.deepEqual(await reserve('r/one', {}), {});
    assert.deepEqual(await readPorts(stateFolder), []);
  });

  it('gives what yields to a lane that finds no other, not to what yields too, and not while it is listened at', async () => {
    const ports = { PORT: await freeRange(2) };
    const { from, to } = ports.PORT;
    const merges = { stateFolder, ports, yields: true } as const;
    assert.deepEqual(await reservePorts({ ...merges, owner: 'r/merges' }), { PORT: from });
    assert.deepEqual(await reserve('r/one', ports), { PORT: to }, 'there was another');
    await rejectsWith(reservePorts({ ...merges, owner: 'r/other merges' }), 'conflict', /r\/merges, r\/one/);
    await listen('127.0.0.1', from);
    await rejectsWith(reserve('r/two', ports), 'conflict', /No port/);
    await stopListening();
    assert.deepEqual(await reserve('r/two', ports), { PORT: from });
    assert.deepEqual(
      (await readPorts(stateFolder)).map(({ owner, port }) => [owner, port]),
      [
        ['r/one', to],
        ['r/two', from],
      ],
    );
  });

  it('gives what was released to the next lane, and what was not to none', async () => {
    const range = await freeRange(1);
    const one = await reserve('r/one', { PORT: range });
    const wanted = reserve('r/two', { PORT: range });
    await rejectsWith(wanted, 'conflict', /No port from .* is left for PORT .*r\/one/);
    assert.deepEqual(await readPorts(stateFolder), [{ port: range.from, name: 'PORT', owner: 'r/one' }]);
    await releasePorts({ stateFolder, owner: 'r/one' });
    assert.deepEqual(await readPorts(stateFolder), []);
    assert.deepEqual(await reserve('r/two', { PORT: range }), one);
  });

  it('takes back what lanes of a deleted repository had, and nothing of one that is there or was not noted', async () => {
    const range = await freeRange(3);
    const deleted = join(stateFolder, 'gone.git');
    const there = join(stateFolder, 'there.git');
    for (const folder of [deleted, there]) mkdirSync(folder);
    const of = (owner: string, repository?: string) =>
      reservePorts({ stateFolder, owner, ports: { PORT: range }, ...(repository && { repository }) });
    const first = await of('gone/lane', deleted);
    await of('there/lane', there);
    await of('old/lane');
    await rejectsWith(of('new/lane', there), 'conflict', /No port from/);
    rmSync(deleted, { recursive: true });
    assert.deepEqual(await of('new/lane', there), first);
    await rejectsWith(of('next/lane', there), 'conflict', /there\/lane, old\/lane, new\/lane/);
  });

  for (const host of ['127.0.0.1', '0.0.0.0', '::1']) {
    it(`passes over a port at which a program listens on ${host}, and takes it once that has ended`, async () => {
      const { from: port } = await freeRange(1);
      const listens = await listen(host, port).catch((error: NodeJS.ErrnoException) => {
        // A machine without IPv6 has nobody who listens there.
        if (host === '::1' && /EADDRNOTAVAIL|EAFNOSUPPORT/.test(error.code ?? '')) return 'absent';
        throw error;
      });
      if (listens === 'absent') return;
      const given = await reserve('r/one', { PORT: { from: port, to: port + 200 } });
      assert.notEqual(given['PORT'], port);
      const wanted = reserve('r/two', { PORT: { from: port, to: port } });
      await rejectsWith(wanted, 'conflict', /for PORT \(programs listen at all of them\).*agentkit\.yaml/);
      await stopListening();
      assert.deepEqual(await reserve('r/two', { PORT: { from: port, to: port } }), { PORT: port });
    });
  }

  it('keeps a lane its port while its own server listens there', async () => {
    const given = await reserve('r/one', wide);
    await listen('127.0.0.1', given['PORT'] ?? 0);
    assert.deepEqual(await reserve('r/one', wide), given);
  });

  it('reserves none of several when one of them is not to be had', async () => {
    const { from: taken } = await freeRange(1);
    await listen('127.0.0.1', taken);
    const wanted = reserve('r/one', { ...wide, API_PORT: { from: taken, to: taken } });
    await rejectsWith(wanted, 'conflict', /is left for API_PORT/);
    assert.deepEqual(await readPorts(stateFolder), []);
  });

  it('gives what the journal tells of once more, unless somebody else has it by now or the range has moved', async () => {
    const range = await freeRange(3);
    const once = { PORT: range.from + 1 };
    assert.deepEqual(await reserve('r/one', { PORT: range }, once), once);
    assert.notDeepEqual(await reserve('r/two', { PORT: range }, once), once);
    await releasePorts({ stateFolder, owner: 'r/one' });
    await listen('127.0.0.1', once.PORT);
    assert.notDeepEqual(await reserve('r/three', { PORT: range }, once), once);
    await stopListening();
    const moved = { from: range.from + 1, to: range.from + 1 };
    assert.deepEqual(await reserve('r/three', { PORT: moved }, { PORT: range.from }), once);
  });

  it('never gives one twice to lanes that ask at once from several processes', async () => {
    const askers = ['a', 'b', 'c', 'd'].map(async (name) => {
      const requests = [1, 2, 3].map((n) => ({ stateFolder, owner: `${name}/${n}`, ports: wide }));
      const code = `import { reservePorts } from ${JSON.stringify(module)};
        const given = await Promise.all(${JSON.stringify(requests)}.map(reservePorts));
        console.log(given.map(({ PORT }) => PORT).join());`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (data) => (said += String(data)));
      await once(child, 'close');
      return said.trim().split(',').map(Number);
    });
    const given = (await Promise.all(askers)).flat();
    assert.equal(given.length, 12);
    assert.equal(new Set(given).size, 12, given.join());
    assert.deepEqual((await readPorts(stateFolder)).map(({ port }) => port).sort(), [...given].sort());
  });

  it('says what to do with a damaged list, and works once that is done', async () => {
    const { ports: file } = stateFiles(stateFolder);
    writeFileSync(file, '{"version":1,"ports":[');
    await rejectsWith(reserve('r/one', wide), 'invalid_input', /ports\.json is not valid JSON.*delete it/);
    rmSync(file);
    assert.equal(typeof (await reserve('r/one', wide))['PORT'], 'number');
  });
});

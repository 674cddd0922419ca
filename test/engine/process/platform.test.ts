import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { parseUsage } from '../../../src/engine/process/platform/darwin.ts';
import { parseCpuS } from '../../../src/engine/process/platform/linux.ts';
import { parseListening } from '../../../src/engine/process/platform/linuxPorts.ts';
import { platform } from '../../../src/engine/process/platform/platform.ts';

const nobody = 2 ** 30;

describe('what the system tells of a process', () => {
  it('is what it was started with, and where it works', () => {
    assert.equal(platform.command(process.pid)[0], process.argv0);
    assert.deepEqual(platform.command(nobody), []);
    assert.equal(platform.folder(process.pid), process.cwd());
    assert.equal(platform.folder(nobody), null);
  });

  it('is its CPU time and memory', () => {
    for (const end = performance.now() + 100; performance.now() < end;);
    const usage = platform.usage([process.pid, nobody]);
    assert.deepEqual([...usage.keys()], [process.pid]);
    const { cpuS = 0, rssBytes = 0 } = usage.get(process.pid) ?? {};
    const { user, system } = process.cpuUsage();
    assert.ok(cpuS >= (user + system) / 1e6 - 0.1, `${cpuS}`);
    assert.ok(rssBytes > process.memoryUsage().rss / 2 && rssBytes < process.memoryUsage().rss * 2);
  });

  it('is the TCP ports that it listens on, of either family', async () => {
    const servers = ['127.0.0.1', '::1'].map((host) => ({ host, server: createServer() }));
    const ports: number[] = [];
    for (const { host, server } of servers) {
      const port = await new Promise<number | null>((resolve) => {
        // A machine without IPv6 has one family less.
        server.once('error', () => resolve(null));
        server.listen(0, host, () => resolve((server.address() as { port: number }).port));
      });
      if (port !== null) ports.push(port);
    }
    const found = platform.ports([process.pid, nobody]);
    servers.forEach(({ server }) => server.close());
    assert.ok(ports.length > 0);
    assert.deepEqual([...found.keys()], [process.pid]);
    assert.deepEqual(
      found.get(process.pid)?.filter((port) => ports.includes(port)),
      ports.sort((one, other) => one - other),
    );
  });

  it('is read from the tables of Linux', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0',
      '   1: 0100007F:1F91 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 4243 1 0 20 4 30 10 -1',
      '   0: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1 0 100 0 0 10 0',
      '',
    ].join('\n');
    assert.deepEqual(parseListening(table), [
      ['4242', 8080],
      ['99', 80],
    ]);
    assert.deepEqual(parseListening(''), []);
    assert.equal(
      parseCpuS('77 (a) b) S 5 77 77 0 -1 4194304 99 0 0 0 150 25 1000 200 20 0 1 0 61566'),
      13.75,
    );
  });

  it('is read from what ps of macOS prints', () => {
    const found = parseUsage('  501  2048   1:02.50\n  502 100 1-02:03:04\n\n');
    assert.deepEqual(
      [...found],
      [
        [501, { cpuS: 62.5, rssBytes: 2048 * 1024 }],
        [502, { cpuS: 86_400 + 7_200 + 180 + 4, rssBytes: 100 * 1024 }],
      ],
    );
  });
});

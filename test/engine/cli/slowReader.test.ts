import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const writer = pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'writeOut.ts')).href;
/** Far more than a pipe holds, in two parts whose order shows. */
const program = (end: string) => `
  process.stdout;
  const { writeOut, written } = await import(${JSON.stringify(writer)});
  writeOut('a'.repeat(1_000_000));
  writeOut('b'.repeat(1_000_000) + '\\n');
  ${end}
  process.exit(0);`;

/** What somebody gets who begins to read late. */
function readLate(end: string): string {
  const line = '"$0" --input-type=module -e "$1" | { sleep 0.5; cat; }';
  const { stdout } = spawnSync('sh', ['-c', line, process.execPath, program(end)], { maxBuffer: 1e8 });
  return stdout.toString();
}

describe('an answer that is longer than a pipe holds', function () {
  this.timeout(60_000);

  it('reaches a slow reader whole and in order', () => {
    assert.equal(readLate('await written();'), `${'a'.repeat(1_000_000)}${'b'.repeat(1_000_000)}\n`);
  });

  it('would not if nobody waited for it', () => {
    assert.ok(readLate('').length < 2_000_000);
  });

  it('is no failure where the reader goes away', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program('await written();')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [status] = (await once(child, 'close')) as [number];
    assert.deepEqual([status, said], [0, '']);
  });
});

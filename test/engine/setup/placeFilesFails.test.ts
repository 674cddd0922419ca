import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { poll } from '../process/stepFixture.ts';
import { LaneFixture } from './laneFixture.ts';

describe('placeFiles, when something fails', function () {
  this.timeout(60_000);
  let fixture: LaneFixture;
  before(() => (fixture = new LaneFixture()));
  after(() => fixture.repository.remove());
  beforeEach(() => fixture.begin());
  afterEach(() => fixture.end());

  const copy = (...patterns: string[]) => fixture.place({ copy: patterns });

  it('passes over what this user cannot read, and says so', async () => {
    fixture.repository.write({ '.env': 'A=1\n', 'local/closed/b': 'b\n', 'local/a': 'a\n' });
    chmodSync(join(fixture.root, '.env'), 0);
    chmodSync(join(fixture.root, 'local/closed'), 0);
    const { placed, warnings } = await asOrdinaryUser(() => copy('.env', 'local'));
    chmodSync(join(fixture.root, 'local/closed'), 0o700);
    assert.deepEqual(placed, ['local/a']);
    assert.match(
      warnings.join(),
      /local\/closed cannot be read \(EACCES\).*\.env cannot be copied \(EACCES\)/,
    );
  });

  /** Everything is open to the superuser, who may stop being it for a moment. */
  async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
    if (process.getuid?.() !== 0) return work();
    execFileSync('chown', ['-R', '65534', fixture.repository.folder]);
    const { HOME } = process.env;
    process.env['HOME'] = fixture.repository.folder;
    process.seteuid?.(65534);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
      process.env['HOME'] = HOME;
      execFileSync('chown', ['-R', '0', fixture.repository.folder]);
    }
  }

  /** Places a file in a process of its own, run by a shell command; what that says of it. */
  function placeElsewhere(command: string): ChildProcess {
    const request = JSON.stringify({ root: fixture.root, path: fixture.lane, copy: ['.env'], link: [] });
    const module = JSON.stringify(new URL('../../../src/engine/setup/placeFiles.ts', import.meta.url).href);
    const code = `import { placeFiles } from ${module};
      console.log(await placeFiles(${request}).catch((error) => error.reason + ': ' + error.message));`;
    const program = [process.execPath, '--input-type=module', '-e', code];
    return spawn('/bin/sh', ['-c', command, ...program], { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  const traces = () => readdirSync(fixture.lane).filter((name) => /env|copy/.test(name));

  it('leaves nothing half-way when a file cannot be written whole', async () => {
    fixture.repository.write({ '.env': Buffer.alloc(1024 * 1024, 'x') });
    const child = placeElsewhere('ulimit -f 64; exec "$0" "$@"');
    const said = await text(child.stdout as Readable);
    assert.match(said, /^not_accessible: The lane's files cannot be placed: EFBIG.*\.env/);
    assert.deepEqual(traces(), []);
    assert.deepEqual((await copy('.env')).placed, ['.env']);
  });

  it('leaves nothing half-way when it is killed and done again', async () => {
    fixture.repository.write({ '.env': Buffer.alloc(128 * 1024 * 1024, 'x') });
    const child = placeElsewhere('exec "$0" "$@"');
    const ended = once(child, 'exit');
    await poll('the copy to begin', 30_000, () => traces().length > 0 || undefined);
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual((await copy('.env')).placed, ['.env']);
    assert.deepEqual(traces(), ['.env']);
    assert.equal(statSync(join(fixture.lane, '.env')).size, 128 * 1024 * 1024);
  });
});

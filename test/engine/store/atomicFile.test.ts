import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentKitError } from '../../../src/core/agentKitError.ts';
import { readJson, readJsonIfThere, writeJson } from '../../../src/engine/store/atomicFile.ts';

const schema = z.object({ version: z.literal(1), names: z.array(z.string()) });

describe('atomic JSON files', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), "agentkit file's ü "));
  after(() => rmSync(folder, { recursive: true }));

  it('reads back what it wrote, for its owner alone', async () => {
    const file = join(folder, 'good.json');
    await writeJson(file, { version: 1, names: ['ü'] });
    assert.deepEqual(await readJson(file, schema), { version: 1, names: ['ü'] });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await writeJson(join(folder, 'open.json'), {}, { mode: 0o644, durable: false });
    assert.equal(statSync(join(folder, 'open.json')).mode & 0o777, 0o644);
  });

  it('shows the old content or the new to whoever reads meanwhile, never a part', async () => {
    const file = join(folder, 'busy.json');
    const big = (name: string) => ({ version: 1, names: Array.from({ length: 20_000 }, () => name) });
    await writeJson(file, big('old'));
    let writing = true;
    const writes = (async () => {
      for (const name of ['a', 'b', 'c', 'd']) await writeJson(file, big(name), { durable: false });
      writing = false;
    })();
    while (writing) {
      assert.equal(new Set((await readJson(file, schema)).names).size, 1);
    }
    await writes;
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('busy')),
      ['busy.json'],
    );
  });

  it('leaves the old file as it was when the new one cannot be written', async () => {
    const file = join(folder, 'kept.json');
    await writeJson(file, { version: 1, names: ['old'] });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    await assert.rejects(writeJson(file, cycle));
    assert.match(readFileSync(file, 'utf8'), /old/);
  });

  it('names the file and what is wrong in it', async () => {
    const file = join(folder, 'bad.json');
    await assert.rejects(readJson(file, schema), (error: AgentKitError) => error.reason === 'not_found');
    assert.equal(await readJsonIfThere(file, schema), null);
    writeFileSync(file, '{"version": 1, "names": ["a", ');
    await assert.rejects(
      readJson(file, schema),
      (error: AgentKitError) =>
        error.reason === 'invalid_input' && error.message.includes(`${file} is not valid JSON`),
    );
    writeFileSync(file, '{"version": 1, "names": ["a", 5]}');
    await assert.rejects(readJson(file, schema), /bad\.json is not as it should be: names\.1: /);
  });
});

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunReader } from '../../../src/engine/runs/runReader.ts';
import { DemoWorld, writes } from '../conductor/demoWorld.ts';

describe('the reader of a journal that grows', function () {
  this.timeout(120_000);
  let world: DemoWorld;
  let folder: string;
  let lines: string[];

  before(async () => {
    world = new DemoWorld(['one']);
    const kit = await world.kit();
    const { atRest } = await kit.startRun({ text: world.plan([{ id: 'job', steps: [writes('job.txt')] }]) });
    ({ folder } = await atRest);
    lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  });
  after(() => world.dispose());

  const write = (count: number) =>
    writeFileSync(
      join(folder, 'journal.jsonl'),
      lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join(''),
    );
  const append = (text: string) => appendFileSync(join(folder, 'journal.jsonl'), text);

  it('tells at every length what reading it whole tells', async () => {
    write(1);
    const grown = new RunReader();
    for (const line of lines.slice(1)) {
      append(`${line}\n`);
      assert.deepEqual(await grown.state(folder), await new RunReader().state(folder));
    }
  });

  it('counts half a line as nothing, and the whole of it once it is there', async () => {
    write(lines.length - 1);
    const reader = new RunReader();
    const before = await reader.state(folder);
    const last = lines.at(-1)!;
    append(last.slice(0, 20));
    assert.deepEqual(await reader.state(folder), before);
    append(`${last.slice(20)}\n`);
    assert.deepEqual(await reader.state(folder), await new RunReader().state(folder));
  });

  it('reads another journal in its place anew', async () => {
    write(3);
    const reader = new RunReader();
    await reader.state(folder);
    const other = join(folder, 'other');
    writeFileSync(other, lines.map((line) => `${line}\n`).join(''));
    renameSync(other, join(folder, 'journal.jsonl'));
    assert.deepEqual(await reader.state(folder), await new RunReader().state(folder));
  });

  it('refuses what contradicts what it knows, also where it was read before', async () => {
    write(lines.length);
    const reader = new RunReader();
    const { seq } = await reader.state(folder);
    append(`${JSON.stringify({ seq: seq + 7, at: '2026-01-01T00:00:00.000Z', type: 'run.stopping' })}\n`);
    await assert.rejects(reader.state(folder), { reason: 'invalid_input' });
    write(lines.length);
    assert.equal((await reader.state(folder)).seq, seq);
  });
});

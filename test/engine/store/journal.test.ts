import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentKitError } from '../../../src/core/agentKitError.ts';
import type { RunEventBody } from '../../../src/core/run/runEvent.ts';
import { Journal, readJournal } from '../../../src/engine/store/journal.ts';

describe('the journal', () => {
  const stopping: RunEventBody = { type: 'run.stopping' };
  const now = () => new Date('2026-11-30T12:00:00Z');
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agentkit journal ü '));
    file = join(folder, 'journal.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('numbers events in order, however many append at once', async () => {
    const { journal } = await Journal.create(file, now, []);
    await Promise.all(Array.from({ length: 20 }, () => journal.append([stopping, { type: 'run.resumed' }])));
    const { events } = await readJournal(file);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    assert.deepEqual(new Set(events.map(({ at }) => at)), new Set(['2026-11-30T12:00:00.000Z']));
  });

  it('ends a torn last line, says so, and goes on', async () => {
    await Journal.create(file, now, [stopping]);
    appendFileSync(file, '{"seq":2,"at":"2026-');
    assert.equal((await readJournal(file)).torn, 20);
    const reopened = await Journal.openExisting(file, now);
    assert.deepEqual(
      reopened.events.map(({ type }) => type),
      ['run.stopping'],
    );
    await reopened.journal.append([{ type: 'run.resumed' }]);
    const { events, torn } = await readJournal(file);
    assert.equal(torn, 0);
    assert.deepEqual(
      events.map(({ seq, type }) => `${seq} ${type}`),
      ['1 run.stopping', '2 tail.torn', '3 run.resumed'],
    );
  });

  it('refuses to write after somebody else did, and writes when nobody has', async () => {
    const { journal } = await Journal.create(file, now, [stopping]);
    const other = await Journal.openExisting(file, now);
    await other.journal.append([{ type: 'run.resumed' }]);
    await assert.rejects(
      journal.append([stopping]),
      (error) => error instanceof AgentKitError && error.reason === 'conflict',
    );
    await other.journal.append([stopping]);
    assert.equal((await readJournal(file)).events.length, 3);
  });

  it('names file and line of an event that it does not know', async () => {
    await Journal.create(file, now, [stopping]);
    appendFileSync(file, '{"seq":2,"at":"2027-01-01T00:00:00Z","type":"lane.teleported"}\n');
    const before = readFileSync(file, 'utf8');
    await assert.rejects(readJournal(file), /journal\.jsonl:2 .*newer AgentKit/);
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('names itself and the cure when it cannot be written (file size limited by prlimit), and loses nothing', async function () {
    if (process.platform !== 'linux') this.skip();
    const { journal } = await Journal.create(file, now, [stopping]);
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
    // Else the signal of the limit would end the process that tests.
    const signal = () => undefined;
    process.on('SIGXFSZ', signal);
    limit(String(statSync(file).size + 20));
    const message = /journal\.jsonl cannot be written: .*then resume the run/;
    try {
      await assert.rejects(journal.append([{ type: 'run.resumed' }]), { reason: 'internal', message });
    } finally {
      limit('unlimited');
      process.off('SIGXFSZ', signal);
    }
    await assert.rejects(journal.append([stopping]), { message }, 'it does not know where it stands');
    const next = await Journal.openExisting(file, now);
    await next.journal.append([{ type: 'run.resumed' }]);
    assert.deepEqual(
      (await readJournal(file)).events.map(({ type }) => type),
      ['run.stopping', 'tail.torn', 'run.resumed'],
    );
  });

  it('is made only once, and with its first events or not at all', async () => {
    writeFileSync(file, '');
    await assert.rejects(Journal.create(file, now, [stopping]), { reason: 'conflict' });
    rmSync(file);
    // What a process left that died while it made one.
    writeFileSync(`${file}.new`, '{"seq":1,"at":');
    const { events } = await Journal.create(file, now, [stopping]);
    assert.deepEqual((await readJournal(file)).events, events);
    assert.deepEqual(readdirSync(folder), ['journal.jsonl']);
  });

  it('leaves the event loop free while a long one is read, and reads all of it', async () => {
    const stamp = { at: '2026-11-30T12:00:00.000Z', ...stopping };
    const many = Array.from({ length: 3000 }, (_, index) => JSON.stringify({ seq: index + 1, ...stamp }));
    writeFileSync(file, `${many.join('\n')}\n`);
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns += 1;
      timer = setImmediate(turn);
    });
    const begin = readFile(file).then(() => turns);
    const { events } = await readJournal(file);
    clearImmediate(timer);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      Array.from({ length: 3000 }, (_, index) => index + 1),
    );
    assert.ok(turns - (await begin) >= 4, `${turns} turns`);
  });
});

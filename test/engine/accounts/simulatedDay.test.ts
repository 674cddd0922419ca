import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePlan } from '../../../src/core/plan/parsePlan.ts';
import { CountingKind, dawn, fiveHours } from './countingKind.ts';

const minute = 60_000;

describe('a day with a window open', function () {
  this.timeout(120_000);
  let root = '';
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'agentkit-day-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('contacts a vendor exactly once an account and batch, and once for each reset that a decision needs', async () => {
    const environment = { HOME: root };
    let clock = dawn;
    const vendor = new CountingKind();
    const unused = new CountingKind('unused');
    await vendor.add(environment, '@a', '@b', '@c');
    await unused.add(environment, '@x');
    await vendor.desk(environment, () => new Date(clock)).setAccount('remote/@c', { exclude: true });
    // Windows of five hours, one after another since midnight.
    vendor.answer = () => ({
      status: 'ok',
      windows: [fiveHours(30, dawn + Math.ceil((clock + 1 - dawn) / (300 * minute)) * 300 * minute)],
    });
    const desk = vendor.desk(environment, () => new Date(clock), unused);
    const parsed = parsePlan(
      'version: 1\nname: p\njobs: [{ id: a, kind: remote, prompt: x }, { id: b, kind: remote, prompt: y }]\n',
    );
    if ('problems' in parsed) throw new Error(parsed.problems[0]?.message);
    const { plan } = parsed;
    const count = () => vendor.asked.length;

    /** What a window and its trees, a board and a status bar do by themselves every few minutes. */
    async function look(): Promise<void> {
      clock += 5 * minute;
      await desk.read({ maxAgeS: Infinity });
      await desk.preview(plan);
      await desk.profiles();
      await desk.leases();
      await desk.capacity();
    }

    for (let at = 0; at < 96; at += 1) await look();
    assert.equal(count(), 0, 'nobody has started anything');

    // 08:00 a batch, whose lanes wait for accounts until 09:30, looking all the time.
    await desk.survey(plan);
    const source = desk.source(plan);
    for (let at = 0; at < 18; at += 1) {
      await look();
      await source.facts();
    }
    assert.deepEqual(vendor.asked, ['@a', '@b'], 'one request an account');

    // 10:00 the window of both accounts is reset while lanes wait.
    for (let at = 0; at < 12; at += 1) {
      await look();
      await source.facts();
    }
    assert.equal(count(), 4, 'once more after the reset');

    // 10:30 an agent picks ten times in four minutes; 12:00 the person refreshes.
    for (let pick = 0; pick < 10; pick += 1) {
      clock += 20_000;
      await desk.pick({ kind: 'remote' });
    }
    assert.equal(count(), 6, 'one reading serves what is picked within 300 s');
    for (let at = 0; at < 17; at += 1) await look();
    await desk.read({ kind: 'remote', maxAgeS: 0 });
    assert.equal(count(), 8);

    // The rest of the day, past two more resets, with nothing that waits.
    while (clock < dawn + 24 * 60 * minute) await look();
    assert.equal(count(), 8);
    assert.ok(!vendor.asked.includes('@c'));
    assert.deepEqual(unused.asked, [], 'a kind that no plan uses is asked about nothing');
    assert.equal(
      vendor.probed.filter((name) => name !== '@c').length,
      8,
      'no CLI is started in between either',
    );
  });

  it('contacts a vendor once an account after the clock was set back by a month, also when that fails', async () => {
    const environment = { HOME: root };
    let clock = dawn + 30 * 24 * 60 * minute;
    const vendor = new CountingKind();
    await vendor.add(environment, '@a', '@b');
    const desk = vendor.desk(environment, () => new Date(clock));
    const parsed = parsePlan('version: 1\nname: p\njobs: [{ id: a, kind: remote, prompt: x }]\n');
    if ('problems' in parsed) throw new Error(parsed.problems[0]?.message);
    vendor.answer = () => ({ status: 'ok', windows: [fiveHours(30, clock + 300 * minute)] });
    const source = desk.source(parsed.plan);
    await source.facts();
    clock = dawn;
    vendor.asked.length = 0;
    vendor.answer = () => Promise.reject(new Error('429'));
    for (let at = 0; at < 60; at += 1) {
      await source.facts();
      clock += 10_000;
    }
    assert.deepEqual(vendor.asked, ['@a', '@b']);
    for (let at = 0; at < 5; at += 1) await desk.pick({ kind: 'remote' });
    assert.equal(vendor.asked.length, 4, 'and once more when that is too old for a pick');
  });
});

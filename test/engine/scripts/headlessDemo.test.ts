import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findMarked } from '../../../scripts/leftovers.mjs';
import type { LaneView } from '../../../src/core/lanes/laneView.ts';

const root = path.resolve(import.meta.dirname, '../../..');

interface Answer {
  interface: number;
  schema: string;
  run: string;
  dir: string;
  target: { ref: string; before: string; after: string };
  lanes: LaneView[];
}

describe('npm start -- --headless', function () {
  this.timeout(120_000);
  let scratch: string;
  let dir: string;

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), "agentkit it's ü-"));
    dir = path.join(scratch, 'demo');
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

  const start = (...args: string[]) => {
    const argv = [path.join(root, 'scripts', 'start.mjs'), '--headless', '--dir', dir, ...args];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, ended };
  };
  const assertNothingRuns = () => assert.deepEqual(findMarked(`AGENTKIT_DEMO=${dir}`), []);

  it('merges two lanes, says what failed in the third, and leaves the repository and nothing that runs', async () => {
    const { code, stdout, stderr } = await start('--json').ended;

    assert.equal(code, 1, stderr);
    const answer = JSON.parse(stdout) as Answer;
    assert.deepEqual([answer.interface, answer.schema, answer.dir], [1, 'demo-v1', dir]);
    const states = Object.fromEntries(answer.lanes.map(({ lane, state }) => [lane, state]));
    assert.deepEqual(states, { discounts: 'merged', thousands: 'merged', 'reduced-tax': 'failed' });
    const tip = readFileSync(path.join(dir, '.git', 'refs', 'heads', 'main'), 'utf8').trim();
    assert.equal(answer.target.after, tip);
    assert.notEqual(answer.target.before, tip);
    const failed = answer.lanes.find(({ lane }) => lane === 'reduced-tax');
    const found = failed?.gate.checks.flatMap(({ findings }) =>
      findings.map(({ file, line }) => `${file}:${line}`),
    );
    assert.ok(found?.includes('src/tax.mjs:8'), String(found));
    assert.ok(found?.includes('test/tax.test.mjs:20'), String(found));
    assertNothingRuns();
  });

  it('stops its run on Ctrl+C', async () => {
    const { child, ended } = start();
    const runs = path.join(dir, '.git', 'agentkit', 'runs');
    const journal = () => {
      try {
        const [run] = readdirSync(runs);
        return readFileSync(path.join(runs, run ?? '', 'journal.jsonl'), 'utf8');
      } catch {
        return '';
      }
    };
    const deadline = Date.now() + 60_000;
    while (!journal().includes('"attempt.started"') && Date.now() < deadline) await pause(50);
    child.kill('SIGINT');

    const { code, stderr } = await ended;
    assert.equal(code, 5, stderr);
    assert.match(journal(), /"type":"run.ended","outcome":"stopped"/);
    assertNothingRuns();
  });

  it('refuses a folder that is not empty, before it does anything', async () => {
    mkdirSync(dir);
    writeFileSync(path.join(dir, 'mine.txt'), 'mine');
    const { code, stdout, stderr } = await start('--json').ended;
    assert.equal(code, 2);
    const { error } = JSON.parse(stdout) as { error: { reason: string; message: string } };
    assert.equal(error.reason, 'usage');
    assert.match(error.message, /not empty/);
    assert.equal(stderr, '');
    assert.deepEqual(readdirSync(scratch), ['demo']);
  });
});

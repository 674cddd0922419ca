import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKit } from '../../../src/engine/agentKit.ts';
import type { RequestBody } from '../../../src/core/run/request.ts';
import { readJournal } from '../../../src/engine/store/journal.ts';
import { AkWorld } from '../cli/akWorld.ts';
import { poll } from '../process/stepFixture.ts';
import { writes } from './demoWorld.ts';

const seed = Number(process.env['AGENTKIT_SEED'] ?? Date.now() % 100_000);
const lanes = ['alpha', 'beta', 'gamma'];
const asked = ['gate', 'merge', 'stopLane', 'retry', 'discard'] as const;

/** The same numbers for the same seed, from 0 up to 1. */
function numbers(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('two windows and an ak that act on one run at the same time', function () {
  this.timeout(240_000);
  let world: AkWorld;

  before(() => {
    world = new AkWorld();
  });
  after(() => world.dispose());

  it(`get one answer to each request, from one owner at a time (AGENTKIT_SEED=${seed})`, async () => {
    const first = await world.kit('editor');
    const second = await world.kit('editor');
    const jobs = lanes.map((id) => ({ id, steps: [writes(`${id}.txt`)] }));
    const { run, atRest } = await first.startRun({ text: world.plan(jobs) });
    const { folder } = await first.readRun(run);
    atRest.catch(() => undefined);
    let answers = 0;

    async function ask(kit: AgentKit, next: () => number): Promise<void> {
      const body: RequestBody = {
        do: asked[Math.floor(next() * asked.length)] ?? 'gate',
        lane: lanes[Math.floor(next() * lanes.length)] ?? '',
      };
      await new Promise((resolve) => setTimeout(resolve, next() * 200));
      const answer = await kit.request(run, body);
      assert.notEqual(answer.message, '');
      answers += 1;
    }
    async function window(kit: AgentKit, next: () => number, count: number): Promise<void> {
      for (let each = 0; each < count; each += 1) await ask(kit, next);
    }
    /** The same from a terminal; how it ends is up to what the others did. */
    async function terminal(next: () => number): Promise<void> {
      for (let each = 0; each < 4; each += 1) {
        const lane = lanes[Math.floor(next() * lanes.length)] ?? '';
        const word = ['gate', 'stop', 'discard'][Math.floor(next() * 3)] ?? 'gate';
        const [command = '', ...args] = world.argv('lane', word, lane, '--json');
        const out = await new Promise<string>((resolve) => {
          const options = { cwd: world.repo, env: world.env(), timeout: 100_000 };
          execFile(command, args, options, (_error, stdout) => resolve(stdout));
        });
        assert.equal(out.trimEnd().split('\n').length, 1, `ak lane ${word} ${lane}: ${out}`);
        JSON.parse(out);
      }
    }
    // One window is closed half-way; whoever asks next goes on.
    const closes = window(first, numbers(seed), 4).then(() => first.dispose());
    await Promise.all([closes, window(second, numbers(seed + 1), 10), terminal(numbers(seed + 2))]);

    const last = await world.kit('editor');
    const view = await poll('all at rest', 100_000, async () => {
      const now = await last.readRun(run);
      const files = readdirSync(join(folder, 'requests')).filter((name) => name.endsWith('.json'));
      const busy = now.lanes.some(({ state, closing }) => closing !== null || isBusy.has(state));
      if (now.owner?.alive !== true && (busy || files.length > 0)) await last.resumeRun(run);
      return busy || files.length > 0 ? undefined : now;
    });
    const { events } = await readJournal(join(folder, 'journal.jsonl'));
    const answered = events.flatMap((event) => (event.type === 'request.answered' ? [event.request] : []));
    assert.ok(answered.length >= answers);
    assert.equal(new Set(answered).size, answered.length, 'a request was answered twice');
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_event, index) => index + 1),
    );
    const fences = events.flatMap((event) => (event.type === 'owner' ? [event.fence] : []));
    assert.deepEqual(
      fences,
      fences.map((_fence, index) => index + 1),
    );
    const merged = view.lanes.filter(({ state }) => state === 'merged');
    assert.equal(
      world.git('log', '--merges', '--format=%s', 'main').split('\n').filter(Boolean).length,
      merged.length,
    );
    assert.equal(world.git('status', '--porcelain'), '');
    for (const { lane, state, path, branch } of view.lanes) {
      assert.equal(path !== null && existsSync(path), state !== 'dropped', `${lane} is ${state}`);
      assert.equal(world.git('branch', '--list', branch ?? `lane/${lane}`) !== '', state !== 'dropped');
    }
  });
});

const isBusy = new Set(['preparing', 'running', 'waiting', 'verifying', 'merging', 'queued']);

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEventBody } from '../../../src/core/run/runEvent.ts';
import type { RunState } from '../../../src/core/run/runState.ts';
import { Conductor } from '../../../src/engine/conductor/conductor.ts';
import { gatherFacts, type AccountSource } from '../../../src/engine/conductor/gatherFacts.ts';
import { MergeLock } from '../../../src/engine/conductor/mergeLock.ts';
import { ownNewRun } from '../../../src/engine/conductor/ownRun.ts';
import type { EngineContext } from '../../../src/engine/conductor/runContext.ts';
import { StartLimit } from '../../../src/engine/conductor/startLimit.ts';
import { readJournal } from '../../../src/engine/store/journal.ts';
import { createRunFolder, journalFile } from '../../../src/engine/store/runFolder.ts';
import { story, way } from '../../unit/core/run/events.ts';
import { created, job, plan, stateAfter } from '../../unit/core/run/samples.ts';

/** Whatever the owner of a run begins, it begins one after the other, and with regard to all agents of the repository. */
describe('the agents that the owner of a run starts', function () {
  this.timeout(60_000);
  let root: string;
  let engine: EngineContext;
  let others: () => RunState[];

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'agentkit starts '));
    for (const name of ['repo', 'run']) mkdirSync(join(root, name));
    engine = {
      repository: { root: join(root, 'repo'), commonDir: join(root, 'repo') },
      kinds: new Map(),
      environment: { PATH: process.env['PATH'], HOME: root },
      node: process.execPath,
      dist: root,
      laneRoot: join(root, 'lanes'),
      workingIn: root,
      allRuns: () => Promise.resolve(others()),
      now: () => new Date(),
    };
  });
  beforeEach(() => (others = () => []));
  after(() => rmSync(root, { recursive: true, force: true }));

  const accounts: AccountSource = { facts: () => Promise.resolve([]), refresh: () => undefined };
  const prepared = (id: string) => [story(id).assigned(`none/@${id}`), story(id).created()];

  describe('are as many as may start now', () => {
    const made = plan([job('api'), job('docs')]);
    let free = 0;
    let starts: StartLimit;
    beforeEach(() => {
      free = 0;
      starts = new StartLimit({ now: () => 0, freeMemory: () => free });
    });

    async function mayStart(...events: RunEventBody[]): Promise<number | undefined> {
      const folder = join(root, 'facts');
      mkdirSync(join(folder, 'requests'), { recursive: true });
      const mergeLock = new MergeLock(engine.repository.commonDir, () => 'main');
      const run = { folder, accounts, startNew: false, engine };
      return (await gatherFacts(run, stateAfter(made, ...events), { mergeLock, starts })).starts;
    }

    it('none where memory is short and an agent runs, in this run or another one', async () => {
      assert.equal(await mayStart(...prepared('api')), 1);
      assert.equal(await mayStart(...prepared('api'), ...way('docs').running()), 0);
      assert.equal(await mayStart(...prepared('api'), ...way('docs').waiting()), 0);
      others = () => [stateAfter(made, ...way('docs').running())];
      assert.equal(await mayStart(...prepared('api')), 0);
      others = () => [stateAfter(made, ...way('docs').ready())];
      assert.equal(await mayStart(...prepared('api')), 1);
      others = () => [stateAfter(made, ...way('docs').running())];
      free = Infinity;
      assert.equal(await mayStart(...prepared('api')), 1);
    });

    it('none right after another one, and nobody is counted where none is about to start', async () => {
      starts.started();
      assert.equal(await mayStart(...prepared('api')), 0);
      others = () => assert.fail('the runs were read');
      assert.equal(await mayStart(...way('api').running()), Infinity);
    });
  });

  it('begin a quarter of a second apart, however many could', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const folder = join(root, 'run');
    const made = plan(ids.map((id) => job(id)));
    const plan_sha256 = await createRunFolder(folder, made);
    const own = await ownNewRun(folder, 'ak', { ...created(ids), plan_sha256 }, engine.now);
    await own.journal.append(ids.flatMap(prepared));
    const { events } = await readJournal(journalFile(folder));
    const state = stateAfter(made, ...events.slice(1));
    // No kind of agent is known here, so each ends before it has begun.
    await new Conductor({ engine, folder, journal: own.journal, state, accounts, startNew: true }).conduct();
    own.lock.release();
    const all = (await readJournal(journalFile(folder))).events;
    const begun = all.filter(({ type }) => type === 'attempt.started').map(({ at }) => Date.parse(at));
    assert.equal(begun.length, ids.length);
    const apart = Math.max(...begun) - Math.min(...begun);
    assert.ok(apart > 1000, `all began within ${apart} ms`);
  });
});

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreignSince, noteFingerprint } from '../../../src/engine/conductor/foreign.ts';
import type { RunContext } from '../../../src/engine/conductor/runContext.ts';
import { way } from '../../unit/core/run/events.ts';
import { job, laneOf, plan, stateAfter } from '../../unit/core/run/samples.ts';
import { tempRepository } from '../git/tempRepository.ts';

describe('what has changed since an attempt began', function () {
  this.timeout(60_000);
  const repository = tempRepository();
  const { root, commonDir } = repository;

  const state = stateAfter(plan([job('api')]), ...way('api').running());
  const lane = laneOf(state, 'api');
  const folder = join(repository.lanes, 'attempt-1');
  const run: RunContext = {
    repository: { root, commonDir },
    kinds: new Map(),
    environment: {},
    node: process.execPath,
    dist: root,
    laneRoot: repository.lanes,
    workingIn: root,
    folder,
    allRuns: () => Promise.resolve([state]),
    now: () => new Date(),
    state: () => state,
    lane: () => lane,
    append: () => assert.fail('nothing is written down here'),
    isClosed: () => false,
    spend: () => Promise.resolve([]),
  };
  const told = async () => (await foreignSince(run, lane, folder)).map(({ what, name }) => `${what} ${name}`);

  before(() => mkdirSync(folder, { recursive: true }));
  after(() => repository.remove());

  it('is nothing where it never began, and where nothing has changed', async () => {
    assert.deepEqual(await told(), []);
    await noteFingerprint(run, folder);
    assert.deepEqual(await told(), []);
  });

  it('is told from when it began, also where the next owner begins it once more', async () => {
    repository.git(['branch', 'theirs'], root);
    await noteFingerprint(run, folder);
    assert.deepEqual(await told(), ['ref refs/heads/theirs']);
    repository.git(['branch', '--delete', '--quiet', 'theirs'], root);
    assert.deepEqual(await told(), []);
  });

  it('is told of a repository that git cannot read any more, until it can', async () => {
    const config = readFileSync(join(commonDir, 'config'));
    appendFileSync(join(commonDir, 'config'), '[broken\n');
    assert.deepEqual(await told(), ['config repository']);
    writeFileSync(join(commonDir, 'config'), config);
    assert.deepEqual(await told(), []);
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../git/tempRepository.ts';
import { LaneFixture } from './laneFixture.ts';

describe('placeFiles, of folders that are linked', function () {
  this.timeout(60_000);
  let fixture: LaneFixture;
  before(() => (fixture = new LaneFixture()));
  after(() => fixture.repository.remove());
  beforeEach(() => fixture.begin());
  afterEach(() => fixture.end());

  const link = (...folders: string[]) => fixture.place({ link: folders });

  it('links a folder of the main checkout, and says that dependencies weaken the gate', async () => {
    fixture.repository.write({ 'node_modules/m/index.js': 'm\n', 'local/data': 'd\n' });
    const { placed, warnings } = await link('node_modules', 'local/');
    assert.deepEqual(placed, ['local', 'node_modules']);
    assert.deepEqual(warnings, [
      "The gate is weak: node_modules is the main checkout's, so checks may judge what is there instead of the lane",
    ]);
    assert.equal(fixture.read('node_modules/m/index.js'), 'm\n');
    assert.equal(readlinkSync(join(fixture.lane, 'local')), join(fixture.root, 'local'));
    assert.match(
      runGit(fixture.lane, ['status', '--porcelain']),
      /\?\? node_modules$/m,
      'a link is not ignored as a folder is',
    );
    const again = await fixture.place({
      copy: ['local', 'node_modules/**'],
      link: ['local', 'node_modules'],
    });
    assert.deepEqual(again, { placed, warnings }, 'nothing is copied into what is linked');
  });

  it('links nothing that leaves the repository, that is none of its folders, or that is there already', async () => {
    fixture.repository.write({ 'local/file': 'f\n', 'node_modules/m': 'm\n' });
    fixture.link('out', '../outside');
    fixture.link('hooks', '.git/hooks');
    fixture.link('inside', 'local');
    mkdirSync(join(fixture.lane, 'node_modules'));
    const { placed, warnings } = await link(
      'out',
      'hooks',
      'gone',
      'local/file',
      'src',
      'node_modules',
      'inside',
    );
    assert.deepEqual(placed, ['inside']);
    assert.equal(fixture.read('inside/file'), 'f\n');
    const expected = [
      /^link: out leads out of the repository, to .*outside; it is not linked$/,
      /^link: hooks leads out of the repository/,
      /^link: gone is not in the main checkout/,
      /^link: local\/file is no folder \(a file can be copied\)/,
      /^link: src is in the lane already/,
      /^link: node_modules is in the lane already/,
    ];
    assert.equal(warnings.length, expected.length, warnings.join('\n'));
    for (const [index, pattern] of expected.entries()) assert.match(warnings[index] ?? '', pattern);
  });

  it('links no folder that holds the lane itself', async () => {
    const inner = join(fixture.root, 'local', 'lanes', 'a');
    fixture.repository.git(['worktree', 'add', '--quiet', '--detach', inner]);
    const { placed, warnings } = await fixture.place({ path: inner, copy: ['**'], link: ['local'] });
    assert.deepEqual(placed, []);
    assert.match(warnings[0] ?? '', /^link: local holds this lane/);
    assert.match(warnings[1] ?? '', /^copy: \*\* takes in a checkout of its own, local\/lanes\/a/);
    fixture.repository.git(['worktree', 'remove', '--force', inner]);
  });
});

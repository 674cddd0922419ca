import assert from 'node:assert/strict';
import { offlinePreview } from '../../../../src/vscode/board/offlinePreview.ts';

const plan = (paths: string) => `version: 1
name: billing
jobs:
  - { id: api, prompt: Write it, paths: [${paths}] }
  - { id: docs, prompt: Describe it, paths: [docs], depends_on: [api] }
  - { id: site, prompt: Show it, paths: [site] }
`;

describe('offlinePreview', () => {
  it('shows jobs and stages of a plan that nothing may be run for, with the reason', () => {
    const preview = offlinePreview(plan('src'), 'not trusted');
    assert.deepEqual(preview.whyNot, ['not trusted']);
    assert.deepEqual(preview.stages, [['api', 'site'], ['docs']]);
    assert.equal(preview.overlaps.length, 0);
  });

  it('finds overlaps and problems all the same', () => {
    assert.equal(offlinePreview(plan('site/**'), 'not trusted').overlaps.length, 1);
    const { problems } = offlinePreview(plan('src').replace('jobs:', 'jbos:'), 'not trusted');
    assert.ok(problems.some(({ line }) => line === 3));
  });
});

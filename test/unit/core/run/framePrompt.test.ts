import assert from 'node:assert/strict';
import { framePrompt } from '../../../../src/core/run/framePrompt.ts';
import { job, plan } from './samples.ts';

describe('framePrompt', () => {
  it('adds the paths and the gate to the own words of the job', () => {
    const api = job('api', { prompt: 'Write the API.\n\n', paths: ['src/**', 'test/**'] });
    assert.equal(
      framePrompt(api, plan([api])),
      [
        'Write the API.',
        '',
        '---',
        'You may write: src/**, test/**. A change anywhere else stops this lane.',
        'These checks will judge the result: npm run test && npm run lint.',
        'Work in this folder only. Do not push, do not switch branches, do not touch other checkouts.',
        '',
      ].join('\n'),
    );
  });

  it('says so when there are no paths and no checks', () => {
    const api = job('api');
    const text = framePrompt(api, plan([api], { gate: [] }));
    assert.match(text, /You may write: any file of this worktree\./);
    assert.match(text, /These checks will judge the result: none\./);
  });
});

import assert from 'node:assert/strict';
import { folderGone } from '../../../../src/core/lanes/folderGone.ts';
import type { LaneState } from '../../../../src/core/lanes/laneState.ts';

describe('what is said of a lane whose folder is gone', () => {
  const say = (state: LaneState, byHand = false) =>
    folderGone({ lane: 'api', path: '/lanes/api', branch: 'lane/api', state, byHand });

  it('names the folder, and first of all the drive that may be missing', () => {
    assert.match(
      say('failed'),
      /^Its folder \/lanes\/api is gone\. If it lies on a drive, connect that; if it was moved, move it back; else /,
    );
  });

  for (const [state, cure] of [
    ['failed', /"ak lane retry api" makes it again from lane\/api/],
    ['interrupted', /ak lane retry/],
    ['blocked', /ak lane retry/],
    ['queued', /when its turn comes/],
    ['ready', /can be merged without it/],
    ['merged', /ak lane clean/],
    ['running', /ak lane stop api/],
  ] as const)
    it(`names what helps one that is ${state}`, () => assert.match(say(state), cure));

  it('offers a lane by hand the folder again, which no agent of ours would make', () => {
    for (const state of ['open', 'ready'] as const) {
      assert.match(say(state, true), /ak lane retry api/);
      assert.doesNotMatch(say(state), /ak lane retry api/);
    }
  });
});

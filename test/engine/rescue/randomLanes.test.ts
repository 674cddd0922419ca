import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { restoreRescue } from '../../../src/engine/rescue/restoreRescue.ts';
import { attempt } from './laneCase.ts';
import { adminSnapshot, worktreeSnapshot } from './laneSnapshot.ts';
import { rescueFixture, type RescueFixture } from './rescueFixture.ts';

/** How many random lanes are tried, and from which seed: a failure prints the seed that replays it. */
const numRuns = Number(process.env['AGENTKIT_RESCUE_RUNS'] ?? 6);
const seed = process.env['AGENTKIT_RESCUE_SEED'];

type Step =
  | { do: 'write'; path: string; bytes: Uint8Array }
  | { do: 'mode'; path: string; mode: number }
  | { do: 'link'; path: string; target: string }
  | { do: 'folder' | 'remove'; path: string }
  | { do: 'git'; args: readonly string[] };

const name = fc.constantFrom(
  'a',
  'b.txt',
  'ü',
  'x.ignored',
  '.gitignore',
  'cache',
  'sub',
  'back\\slash',
  'new\nline',
  '.GIT',
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      path,
      bytes: fc.uint8Array({ maxLength: 200 }),
    }),
  },
  fc.record({ do: fc.constant('mode' as const), path, mode: fc.constantFrom(0o600, 0o755, 0o444, 0o777) }),
  fc.record({
    do: fc.constant('link' as const),
    path,
    target: fc.constantFrom('a', '../..', '/etc/passwd', 'sub/b.txt'),
  }),
  fc.record({ do: fc.constantFrom('folder' as const, 'remove' as const), path }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('git' as const),
      args: fc.constantFrom(
        ['add', '--all'],
        ['add', '--intent-to-add', '.'],
        ['commit', '-q', '-a', '-m', 'Step'],
        ['commit', '-q', '--amend', '-m', 'Amended'],
        ['reset', '-q', '--soft', 'HEAD~1'],
        ['reset', '-q', '--hard', 'HEAD~1'],
        ['stash', '-q'],
        ['checkout', '-q', '--detach'],
        ['update-index', '--assume-unchanged', 'src/a.txt'],
        ['rm', '-q', '--cached', 'src/b.txt'],
        ['merge', '-q', '--no-edit', 'other'],
        ['cherry-pick', 'other'],
        ['rebase', '-q', 'other'],
        ['init', '-q', 'sub'],
      ),
    }),
  },
);

/** Does a step as far as it is possible in the lane as it is. */
function perform(lane: string, action: Step): void {
  if (action.do === 'git') {
    attempt(lane, [...action.args]);
    return;
  }
  const target = join(lane, action.path);
  try {
    if (throughLink(lane, action.path)) return;
    if (action.do === 'remove') rmSync(target, { recursive: true, force: true });
    else mkdirSync(action.do === 'folder' ? target : dirname(target), { recursive: true });
    if (action.do === 'write') writeFileSync(target, action.bytes);
    if (action.do === 'link') symlinkSync(action.target, target);
    if (action.do === 'mode') chmodSync(target, action.mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOENT', 'EACCES'].includes(code ?? '')) throw error;
  }
}

/** Whether any part of a path is a link: the lane alone is changed. */
function throughLink(lane: string, path: string): boolean {
  return path
    .split('/')
    .some((_name, n, names) =>
      lstatSync(join(lane, ...names.slice(0, n + 1)), { throwIfNoEntry: false })?.isSymbolicLink(),
    );
}

describe('any lane at all', () => {
  let repo: RescueFixture;
  let count = 0;
  before(() => {
    repo = rescueFixture();
    repo.commit({ '.gitignore': '*.ignored\ncache/\n' });
    repo.git(['checkout', '-q', '-b', 'other']);
    repo.commit({ 'src/a.txt': 'other\n', 'b.txt': 'other\n' });
    repo.git(['checkout', '-q', 'main']);
  });
  after(() => repo.remove());

  it('is the same byte for byte after rescue, removal, a gc and restore', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const lane = await repo.make(`random${(count += 1)}`);
        for (const each of steps) perform(lane.path, each);
        const state = () => [worktreeSnapshot(lane.path), adminSnapshot(repo.admin(lane.path))];
        const then = state();
        const rescue = await repo.rescue(lane);
        assert.deepEqual(rescue.notKept, []);
        assert.deepEqual(state(), then, 'the rescue changed something');
        repo.discard(lane);
        repo.clean();
        assert.equal(existsSync(lane.path), false);
        await restoreRescue(repo.restoreRequest(rescue, lane));
        assert.deepEqual(state(), then);
        repo.git(['fsck', '--connectivity-only']);
        repo.discard(lane);
      }),
      // Shrinking takes long; it begins when a seed is replayed.
      seed === undefined ? { numRuns, endOnFailure: true } : { numRuns, seed: Number(seed) },
    );
  });
});

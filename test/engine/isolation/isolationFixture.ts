import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fingerprintSchema, type Fingerprint } from '../../../src/core/safety/fingerprint.ts';
import { foreignChanges, type AllowedChanges } from '../../../src/core/safety/foreignChanges.ts';
import { takeFingerprint } from '../../../src/engine/isolation/takeFingerprint.ts';
import { tempRepository } from '../git/tempRepository.ts';

export const nothingElse: AllowedChanges = {
  ownBranch: 'lane/own',
  busyBranches: [],
  ours: {},
  rescues: {},
};

/** A repository with two commits, an own lane, another one, one inside the main checkout, and a rescue. */
export class IsolationFixture {
  readonly repository = tempRepository();
  readonly root = this.repository.root;
  readonly first: string;
  readonly second: string;
  readonly own = join(this.repository.lanes, 'own');

  constructor() {
    this.first = this.git(['rev-parse', 'HEAD']);
    this.second = this.repository.commit({ 'src/a.txt': 'a2\n' }, 'Second');
    this.git(['worktree', 'add', '--quiet', '-b', 'lane/own', this.own]);
    this.git(['worktree', 'add', '--quiet', '-b', 'lane/other', join(this.repository.lanes, 'other')]);
    this.git(['worktree', 'add', '--quiet', '-b', 'lane/inside', join(this.root, 'inside')]);
    this.git(['branch', 'release', this.first]);
    this.git(['update-ref', 'refs/agentkit/rescue/own/1', this.second]);
    this.git(['update-ref', 'refs/remotes/origin/main', this.first]);
  }

  git(args: string[], cwd = this.root): string {
    return this.repository.git(args, cwd);
  }

  take(): Promise<Fingerprint> {
    return takeFingerprint(this.repository);
  }

  /** Asserts what is told of an act, each as `what name`. Returns the messages. */
  async tells(
    act: () => unknown,
    expected: string[],
    allowed: Partial<AllowedChanges> = {},
  ): Promise<string> {
    // As it comes back from the step's folder.
    const before = fingerprintSchema.parse(JSON.parse(JSON.stringify(await this.take())));
    act();
    const changes = foreignChanges(before, await this.take(), { ...nothingElse, ...allowed });
    assert.deepEqual(
      changes.map(({ what, name }) => `${what} ${name}`),
      expected,
    );
    return changes.map(({ message }) => message).join('\n');
  }
}

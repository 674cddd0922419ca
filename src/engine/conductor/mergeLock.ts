import { join } from 'node:path';
import { tryHold } from '../store/lock.ts';

/** One merge at a time per target, over all runs of a repository: the merge worktree is shared. */
export class MergeLock {
  readonly #file: string;
  #held: { release(): void } | null = null;

  constructor(commonDir: string, target: string) {
    this.#file = join(commonDir, 'agentkit', `merge-${encodeURIComponent(target)}.lock`);
  }

  /** Takes the lock if it is free. Whether it is held now. */
  hold(): boolean {
    this.#held ??= tryHold(this.#file);
    return this.#held !== null;
  }

  release(): false {
    this.#held?.release();
    this.#held = null;
    return false;
  }
}

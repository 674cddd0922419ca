import { join } from 'node:path';
import { noTarget } from '../../core/run/noTarget.ts';
import { tryHold } from '../store/lock.ts';

/** One merge at a time per target, over all runs of a repository: the merge worktree is shared. */
export class MergeLock {
  readonly #commonDir: string;
  readonly #target: () => string;
  #held: { release(): void } | null = null;

  /** @param target The run's; one that has none yet may get it later. */
  constructor(commonDir: string, target: () => string) {
    this.#commonDir = commonDir;
    this.#target = target;
  }

  /** Takes the lock if it is free. Whether it is held now. */
  hold(): boolean {
    const target = this.#target();
    if (target === noTarget) return false;
    const file = join(this.#commonDir, 'agentkit', `merge-${encodeURIComponent(target)}.lock`);
    this.#held ??= tryHold(file);
    return this.#held !== null;
  }

  release(): false {
    this.#held?.release();
    this.#held = null;
    return false;
  }
}

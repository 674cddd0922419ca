import { watch, type FSWatcher } from 'node:fs';

/**
 * Waits until something in the given folders changes, `now` is called, or a time has passed. A watcher
 * that cannot be had is no error: the time is there for that.
 */
export class Wake {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #ignored: readonly string[];
  #pending = false;
  #resolve: (() => void) | undefined;

  /** @param ignored Beginnings of the names of files whose changes do not count. */
  constructor(ignored: readonly string[] = []) {
    this.#ignored = ignored;
  }

  /** Something changed: the wait that is under way, or the next one, ends at once. */
  now(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /** Watches exactly these folders from now on. Whether one is new: what happened in it before was not seen. */
  watch(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    const before = this.#watchers.size;
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#add(folder);
    return this.#watchers.size > before;
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, (_event, file) => {
        if (file === null || !this.#ignored.some((name) => file.startsWith(name))) this.now();
      });
      watcher.on('error', () => {
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // The folder is not there yet; the next call tries again.
    }
  }

  /** Resolves at the next change, at most after `ms` milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resolve = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#resolve = undefined;
    this.#pending = false;
  }

  close(): void {
    this.watch(new Set());
    this.now();
  }
}

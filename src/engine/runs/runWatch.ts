import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isActive } from '../../core/run/isActive.ts';
import { pendingStep } from '../../core/run/stepFolders.ts';
import { Wake } from '../conductor/wake.ts';
import { stepFiles } from '../store/paths.ts';
import { listRunFolders, runsFolder } from '../store/runFolder.ts';
import type { RunReader } from './runReader.ts';

/** Shortest time between two calls, and the slow look while something runs, in milliseconds. */
const pause = 250;
const slowLook = 2000;

const { transcript, output, supervisorLog } = stepFiles('');
/** What a process puts out; of that a view shows what its status tells. */
const unseen = [transcript, output, supervisorLog];

/** Calls back after something that a RunView shows has changed, at most four times a second. */
export class RunWatch {
  readonly #wake = new Wake(unseen);
  readonly #reader: RunReader;
  readonly #commonDir: string;
  #closed = false;

  constructor(commonDir: string, reader: RunReader, onDidChange: () => void) {
    this.#commonDir = commonDir;
    this.#reader = reader;
    void this.#watch(onDidChange);
  }

  close(): void {
    this.#closed = true;
    this.#wake.close();
  }

  async #watch(onDidChange: () => void): Promise<void> {
    await mkdir(runsFolder(this.#commonDir), { recursive: true }).catch(() => undefined);
    while (!this.#closed) {
      const active = await this.#follow();
      await this.#wake.wait(active ? slowLook : 2 ** 30);
      if (this.#closed) return;
      onDidChange();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Watches every run, and the step of each lane that runs. Whether anything runs. */
  async #follow(): Promise<boolean> {
    const root = runsFolder(this.#commonDir);
    // Also those that have no journal yet: its first event is a change in them, and none in the folder of them all.
    const made = await readdir(root, { withFileTypes: true }).catch(() => []);
    const inside = made.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
    const folders = new Set([root, ...inside]);
    const runs = await listRunFolders(this.#commonDir).catch(() => []);
    let active = false;
    for (const run of runs) {
      const state = await this.#reader.state(run).catch(() => undefined);
      for (const lane of state?.lanes ?? []) {
        active ||= isActive(lane);
        const step = state && pendingStep(lane, state.plan);
        if (step !== undefined) folders.add(join(run, step));
      }
    }
    // Between the reading and the watching something may have happened.
    if (this.#wake.watch(folders)) this.#wake.now();
    return active;
  }
}

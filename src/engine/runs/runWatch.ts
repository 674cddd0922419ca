import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isActive } from '../../core/run/decide.ts';
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
    const runs = await listRunFolders(this.#commonDir).catch(() => []);
    const folders = new Set([runsFolder(this.#commonDir), ...runs]);
    let active = false;
    for (const run of runs) {
      const state = await this.#reader.state(run).catch(() => undefined);
      for (const lane of state?.lanes ?? []) {
        active ||= isActive(lane);
        const step = state && pendingStep(lane, state.plan);
        if (step !== undefined) folders.add(join(run, step));
      }
    }
    this.#wake.watch(folders);
    return active;
  }
}

import { writeJson } from '../store/atomicFile.ts';
import type { StepStatus } from './launch.ts';

const intervalMs = 1_000;

/** Writes `status.json` whole, at most once a second. A full disk costs a status, not the process. */
export class StatusFile {
  readonly #file: string;
  #status: StepStatus;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #writtenAt = -intervalMs;

  constructor(file: string, status: StepStatus) {
    this.#file = file;
    this.#status = status;
  }

  update(change: Partial<StepStatus>): void {
    this.#status = { ...this.#status, ...change };
    const delay = Math.max(0, this.#writtenAt + intervalMs - performance.now());
    this.#timer ??= setTimeout(() => this.#write(), delay);
  }

  /** Writes what was not written yet. */
  async end(change: Partial<StepStatus>): Promise<void> {
    this.update(change);
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#timer = undefined;
    this.#writtenAt = performance.now();
    const status = this.#status;
    this.#writing = this.#writing
      .then(() => writeJson(this.#file, status, { durable: false }))
      .catch(() => undefined);
  }
}

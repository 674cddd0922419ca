import type { Disposable } from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import { failureReason } from '../platform/failureReason.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { Services } from '../platform/services.ts';
import type { WindowScope } from '../platform/windowScope.ts';
import { isActive } from './attention.ts';

/**
 * Takes up the runs that an editor window left behind, so that a reload goes on by itself. A run that `ak` left
 * waits for the person's Resume, and a window on a lane leaves runs to the window on the repository.
 */
export class RunResumer implements Disposable {
  readonly #services: Services;
  readonly #scope: WindowScope;
  readonly #tried = new Set<string>();
  readonly #listener: Disposable;

  constructor(services: Services, scope: WindowScope) {
    this.#services = services;
    this.#scope = scope;
    this.#listener = services.lanes.onDidChange(({ after }) => this.#resumeLeft(after));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #resumeLeft(runs: readonly RunView[]): void {
    if (this.#scope.isOnLane(runs)) return;
    for (const run of runs) {
      if (!wasLeft(run)) this.#tried.delete(run.run);
      else if (run.owner?.head === 'editor' && !this.#tried.has(run.run)) void this.#resume(run.run);
    }
  }

  async #resume(run: string): Promise<void> {
    this.#tried.add(run);
    const { log } = this.#services;
    try {
      const { atRest } = await (await this.#services.kit()).resumeRun(run);
      log.info(`run ${run}: resumed, its window had gone`);
      atRest.catch((error: unknown) => reportFailure(this.#services, error, run));
      await this.#services.lanes.refresh();
    } catch (error) {
      // Another window was faster.
      if (failureReason(error) === 'conflict') log.info(`run ${run}: ${messageOf(error)}`);
      else reportFailure(this.#services, error, run);
    }
  }
}

/** Not at its end, and the process that drove it is gone. */
function wasLeft(run: RunView): boolean {
  return run.owner?.alive === false && (run.status === 'interrupted' || isActive(run));
}

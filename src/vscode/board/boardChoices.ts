import { EventEmitter, type Disposable, type Memento, type Uri } from 'vscode';
import type { BoardChoice } from './shownRun.ts';

const key = 'agentkit.boardChoices';

/** Remembers over reloads whether a plan's board shows the plan or one of its runs. */
export class BoardChoices implements Disposable {
  readonly #memento: Memento;
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(workspaceState: Memento) {
    this.#memento = workspaceState;
  }

  get(plan: Uri): BoardChoice {
    return this.#all()[plan.toString()];
  }

  set(plan: Uri, choice: Exclude<BoardChoice, undefined>): void {
    void this.#memento.update(key, { ...this.#all(), [plan.toString()]: choice });
    this.#changed.fire(plan);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): Record<string, BoardChoice> {
    return this.#memento.get(key, {});
  }
}

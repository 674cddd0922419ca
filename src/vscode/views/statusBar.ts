import { l10n, StatusBarAlignment, window, type Disposable, type StatusBarItem } from 'vscode';
import type { CommandId } from '../../ids.ts';
import type { LaneStore } from '../stores/laneStore.ts';
import { statusText } from './statusText.ts';

/** Counts of lanes in the status bar; a click opens the board. */
export class StatusBar implements Disposable {
  readonly #item: StatusBarItem;
  readonly #listener: Disposable;

  constructor(lanes: LaneStore) {
    this.#item = window.createStatusBarItem('agentkit.status', StatusBarAlignment.Left);
    this.#item.name = 'AgentKit';
    this.#item.command = 'agentkit.board.open' satisfies CommandId;
    this.#item.tooltip = l10n.t('AgentKit: open the board');
    this.#listener = lanes.onDidChange(({ after }) => {
      const text = statusText(after, { t: l10n.t });
      this.#item.text = text ?? '';
      if (text === undefined) this.#item.hide();
      else this.#item.show();
    });
  }

  dispose(): void {
    this.#listener.dispose();
    this.#item.dispose();
  }
}

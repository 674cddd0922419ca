import { commands, l10n, type Disposable } from 'vscode';
import type { LaneView, RunView } from '../../core/lanes/laneView.ts';
import type { CommandId } from '../../ids.ts';
import type { Notify, NotifyAction } from '../platform/notify.ts';
import { needsYou } from '../stores/attention.ts';
import { needsYouText } from '../stores/describeRun.ts';
import { laneKey } from '../stores/diffRuns.ts';
import type { LanesChange, LaneStore } from '../stores/laneStore.ts';
import { noticesOf } from './noticesOf.ts';

/** How long lanes are gathered, so that several that fail together make one notification. */
const gatherMs = 2000;

/** Tells the person what must not be missed: a run ended, lanes need them. Never one notification an event. */
export class Notices implements Disposable {
  readonly #notify: Notify;
  readonly #listener: Disposable;
  readonly #waiting = new Map<string, LaneView>();
  #timer: NodeJS.Timeout | undefined;

  constructor(lanes: LaneStore, notify: Notify) {
    this.#notify = notify;
    this.#listener = lanes.onDidChange((change) => this.#follow(change));
  }

  dispose(): void {
    this.#listener.dispose();
    clearTimeout(this.#timer);
  }

  #follow({ before, after }: LanesChange): void {
    for (const notice of noticesOf(before, after)) {
      if (notice.type === 'runEnded') this.#tellEnd(notice.run);
      else this.#gather(notice.lanes);
    }
  }

  #gather(lanes: readonly LaneView[]): void {
    for (const lane of lanes) this.#waiting.set(laneKey(lane), lane);
    this.#timer ??= setTimeout(() => this.#tellLanes(), gatherMs);
  }

  #tellLanes(): void {
    this.#timer = undefined;
    const lanes = [...this.#waiting.values()];
    this.#waiting.clear();
    const [first] = lanes;
    if (!first) return;
    // The first reason is the state as a sentence; what follows it says why.
    const reason = first.why_not[1] ?? l10n.t(first.state);
    const message =
      lanes.length === 1
        ? l10n.t('Lane {0} needs you: {1}', first.lane, reason)
        : l10n.t('{0} lanes need you: {1}', lanes.length, lanes.map((lane) => lane.lane).join(', '));
    this.#notify.warn(message, openBoard(first.run));
  }

  #tellEnd(run: RunView): void {
    for (const lane of run.lanes) this.#waiting.delete(laneKey(lane));
    const merged = run.lanes.filter((lane) => lane.state === 'merged').length;
    const ready = run.lanes.filter((lane) => lane.mergeable).length;
    const needing = run.lanes.filter(needsYou).length;
    const counts = [
      merged > 0 && l10n.t('{0} merged', merged),
      ready > 0 && l10n.t('{0} ready to merge', ready),
      needing > 0 && needsYouText(needing, { t: l10n.t }),
    ];
    const message = l10n.t(
      'Run {0}: {1}.',
      run.name,
      counts.filter(Boolean).join(', ') || l10n.t(run.status),
    );
    const tell = needing > 0 ? this.#notify.warn : this.#notify.info;
    tell(message, openBoard(run.run), showReport(run.run));
  }
}

function openBoard(run: string): NotifyAction {
  const command: CommandId = 'agentkit.board.open';
  return { label: l10n.t('Open Board'), run: () => commands.executeCommand(command, { run }) };
}

function showReport(run: string): NotifyAction {
  const command: CommandId = 'agentkit.run.showReport';
  return { label: l10n.t('Show Report'), run: () => commands.executeCommand(command, { run }) };
}

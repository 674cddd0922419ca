import { join } from 'node:path';
import { l10n, ThemeColor, ThemeIcon, window, type Disposable, type Terminal } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import { parseAccount } from '../../core/accounts/account.ts';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView, RunView } from '../../core/lanes/laneView.ts';
import type { Services } from '../platform/services.ts';
import type { WindowScope } from '../platform/windowScope.ts';
import { isOfAnotherWindow } from '../stores/attention.ts';
import { laneKey } from '../stores/diffRuns.ts';
import { terminalLook } from './terminalLook.ts';
import { terminalName } from './terminalName.ts';

type Needs = Pick<Services, 'lanes' | 'requireTrust' | 'extensionUri'>;

/**
 * One terminal a lane, attached to its newest attempt by `ak lane attach`. Terminals only show: closing one stops
 * nothing, and after a reload new ones are made while those that the editor restored are left alone.
 */
export class LaneTerminals implements Disposable {
  readonly #services: Needs;
  readonly #scope: Pick<WindowScope, 'isOnLane'>;
  readonly #terminals = new Map<string, { attempt: number; terminal: Terminal }>();
  /** Attempts that had a terminal here, so that one the person closed stays closed. */
  readonly #offered = new Set<string>();
  readonly #disposables: Disposable[];

  constructor(services: Needs, scope: Pick<WindowScope, 'isOnLane'>) {
    this.#services = services;
    this.#scope = scope;
    this.#disposables = [
      services.lanes.onDidChange(({ after }) => this.#offer(after)),
      window.onDidCloseTerminal((closed) => this.#forget(closed)),
    ];
  }

  /** Reveals the lane's terminal; makes it when there is none. @throws AgentKitError */
  show(lane: LaneView): void {
    this.#services.requireTrust();
    if (lane.path === null || lane.attempts.length === 0) {
      throw new AgentKitError('not_found', l10n.t('No agent was started in lane {0} yet.', lane.lane));
    }
    this.#terminalOf(lane, lane.path).show();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    for (const { terminal } of this.#terminals.values()) terminal.dispose();
  }

  /**
   * Agents of runs that this window drives get a terminal by themselves, without the focus. So do those of another
   * window, unless this one is on a lane: terminals only show, and nobody may be left to see the other window's.
   */
  #offer(runs: readonly RunView[]): void {
    const isOnLane = this.#scope.isOnLane(runs);
    const shown = runs.filter((run) => run.owner?.self || (!isOnLane && isOfAnotherWindow(run)));
    for (const lane of shown.flatMap((run) => run.lanes)) {
      if (lane.path === null || (lane.state !== 'running' && lane.state !== 'waiting')) continue;
      const attempt = `${laneKey(lane)} ${lane.attempts.length}`;
      if (this.#offered.has(attempt)) continue;
      this.#offered.add(attempt);
      this.#terminalOf(lane, lane.path);
    }
  }

  /** A terminal shows one attempt and cannot be renamed, so the next attempt gets a new one in its place. */
  #terminalOf(lane: LaneView, cwd: string): Terminal {
    const key = laneKey(lane);
    const attempt = lane.attempts.length;
    const known = this.#terminals.get(key);
    if (known?.attempt === attempt && known.terminal.exitStatus === undefined) return known.terminal;
    known?.terminal.dispose();
    const look = terminalLook(lane.account === null ? '' : parseAccount(lane.account).kind);
    const ak = join(this.#services.extensionUri.fsPath, 'dist', 'ak.js');
    const terminal = window.createTerminal({
      name: terminalName(lane),
      cwd,
      shellPath: process.execPath,
      shellArgs: [ak, 'lane', 'attach', '--stay', laneAddress(lane)],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      iconPath: new ThemeIcon(look.icon),
      color: new ThemeColor(look.color),
      isTransient: true,
    });
    this.#terminals.set(key, { attempt, terminal });
    return terminal;
  }

  #forget(closed: Terminal): void {
    for (const [key, { terminal }] of this.#terminals) if (terminal === closed) this.#terminals.delete(key);
  }
}

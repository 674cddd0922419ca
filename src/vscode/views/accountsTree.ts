import {
  env,
  EventEmitter,
  l10n,
  type Disposable,
  TreeItem,
  window,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import type { AccountReading } from '../../core/accounts/usage.ts';
import { failureReason } from '../platform/failureReason.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import type { Services } from '../platform/services.ts';
import { accountName } from '../stores/accountStore.ts';
import { isWorking } from '../stores/attention.ts';
import { accountItem } from './accountItem.ts';
import { kindItem } from './kindItem.ts';
import { minuteWhileVisible } from './minuteWhileVisible.ts';
import { NodeTable } from './nodeTable.ts';
import type { Render } from '../platform/render.ts';
import { toTreeItem } from './toTreeItem.ts';
import { windowItem } from './windowItem.ts';

/** A row names what it shows; the store knows the rest. */
export type AccountNode =
  | { type: 'kind'; kind: string }
  | { type: 'account'; account: string }
  | { type: 'window'; account: string; window: string };

/** The accounts by kind, each with its quota windows. */
export class AccountsTree implements TreeDataProvider<AccountNode>, Disposable {
  readonly #changed = new EventEmitter<AccountNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #services: Services;
  readonly #nodes = new NodeTable<AccountNode>();
  readonly #disposables: { dispose(): unknown }[];
  readonly view: TreeView<AccountNode>;

  constructor(services: Services) {
    this.#services = services;
    this.view = window.createTreeView('agentkit.accounts', { treeDataProvider: this, showCollapseAll: true });
    this.#disposables = [
      this.view,
      this.#changed,
      services.accounts.onDidChange((names) => this.#refresh(names)),
      services.lanes.onDidChange(({ before, after }) => {
        if (before === undefined || usesOf(before) !== usesOf(after)) this.#refreshAccounts();
      }),
      minuteWhileVisible(this.view, () => this.#refreshAccounts()),
    ];
  }

  getTreeItem(node: AccountNode): TreeItem {
    const render: Render = { t: l10n.t, now: Date.now(), locale: env.language };
    const readings = this.#services.accounts.readings ?? [];
    if (node.type === 'kind') {
      return toTreeItem(
        kindItem(node.kind, readings.filter(({ kind }) => kind === node.kind).length, render),
      );
    }
    const account = this.#reading(node.account);
    if (!account) return new TreeItem('');
    if (node.type === 'account') return toTreeItem(accountItem(account, this.#usedBy(node.account), render));
    const quota = account.windows.find(({ id }) => id === node.window);
    return quota ? toTreeItem(windowItem(account, quota, render)) : new TreeItem('');
  }

  async getChildren(node?: AccountNode): Promise<AccountNode[]> {
    if (!node) return this.#roots();
    if (node.type === 'kind') {
      const ofKind = (this.#services.accounts.readings ?? []).filter(({ kind }) => kind === node.kind);
      return ofKind.map((reading) => this.#nodes.of({ type: 'account', account: accountName(reading) }));
    }
    if (node.type === 'window') return [];
    const windows = this.#reading(node.account)?.windows ?? [];
    return windows.map(({ id }) => this.#nodes.of({ type: 'window', account: node.account, window: id }));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Starts over, as after another folder was opened or the workspace was trusted. */
  reload(): void {
    this.#changed.fire(undefined);
  }

  /** The first look reads once, a cached reading will do; a failure is told above the rows. */
  async #roots(): Promise<AccountNode[]> {
    try {
      await this.#services.accounts.loadOnce();
      this.view.message = '';
    } catch (error) {
      this.#services.log.warn(`accounts: ${messageOf(error)}`);
      this.view.message = isWelcome(error) ? '' : messageOf(error);
      return [];
    }
    const readings = this.#services.accounts.readings ?? [];
    setContextKey('agentkit.noAccounts', readings.length === 0);
    return [...new Set(readings.map(({ kind }) => kind))].map((kind) =>
      this.#nodes.of({ type: 'kind', kind }),
    );
  }

  #refresh(names: ReadonlySet<string> | undefined): void {
    if (!names) return this.#changed.fire(undefined);
    for (const account of names) this.#changed.fire(this.#nodes.of({ type: 'account', account }));
  }

  #refreshAccounts(): void {
    const readings = this.#services.accounts.readings;
    if (readings) this.#refresh(new Set(readings.map(accountName)));
  }

  #reading(account: string): AccountReading | undefined {
    return this.#services.accounts.readings?.find((reading) => accountName(reading) === account);
  }

  #usedBy(account: string): string[] {
    const lanes = this.#services.lanes.runs.flatMap((run) => run.lanes);
    return lanes.filter((lane) => lane.account === account && isWorking(lane)).map((lane) => lane.lane);
  }
}

/** No repository and no trust have a welcome text of their own. */
function isWelcome(error: unknown): boolean {
  const reason = failureReason(error);
  return reason === 'refused' || reason === 'not_found';
}

function usesOf(runs: Services['lanes']['runs']): string {
  const lanes = runs.flatMap((run) => run.lanes).filter(isWorking);
  return JSON.stringify(lanes.map((lane) => [lane.lane, lane.account]));
}

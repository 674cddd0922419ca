import {
  env,
  EventEmitter,
  l10n,
  type Disposable,
  TreeItem,
  window,
  workspace,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import type { Services } from '../platform/services.ts';
import { reportFailure } from '../platform/reportFailure.ts';
import type { AccountView } from '../stores/accountView.ts';
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
        if (before === undefined || usesOf(before) !== usesOf(after)) this.#lookAgain();
      }),
      // Profiles and leases of other windows and shells may have come or gone.
      this.view.onDidChangeVisibility(({ visible }) => visible && this.#lookAgain()),
      minuteWhileVisible(this.view, () => this.#refreshAccounts()),
    ];
  }

  getTreeItem(node: AccountNode): TreeItem {
    const render: Render = { t: l10n.t, now: Date.now(), locale: env.language };
    if (node.type === 'kind') return toTreeItem(kindItem(node.kind, this.#ofKind(node.kind).length, render));
    const account = this.#services.accounts.account(node.account);
    if (!account) return new TreeItem('');
    if (node.type === 'account') return toTreeItem(accountItem(account, this.#usedBy(account), render));
    const quota = account.reading.windows.find(({ id }) => id === node.window);
    return quota ? toTreeItem(windowItem(account.name, quota, render)) : new TreeItem('');
  }

  async getChildren(node?: AccountNode): Promise<AccountNode[]> {
    if (!node) return this.#roots();
    if (node.type === 'kind')
      return this.#ofKind(node.kind).map(({ name }) => this.#nodes.of({ type: 'account', account: name }));
    if (node.type === 'window') return [];
    const windows = this.#services.accounts.account(node.account)?.reading.windows ?? [];
    return windows.map(({ id }) => this.#nodes.of({ type: 'window', account: node.account, window: id }));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Starts over, as after another folder was opened or the workspace was trusted. */
  reload(): void {
    this.#changed.fire(undefined);
  }

  /** The first look contacts no vendor; a failure is told above the rows. */
  async #roots(): Promise<AccountNode[]> {
    try {
      await this.#services.accounts.loadOnce();
      this.view.message = '';
    } catch (error) {
      this.#services.log.warn(`accounts: ${messageOf(error)}`);
      this.view.message = workspace.isTrusted ? messageOf(error) : '';
      return [];
    }
    const accounts = this.#services.accounts.accounts ?? [];
    setContextKey('agentkit.noAccounts', accounts.length === 0);
    // The demo comes after what does real work.
    const kinds = [...new Set(accounts.map(({ kind }) => kind))];
    const order = kinds.toSorted((a, b) => Number(a === 'demo') - Number(b === 'demo'));
    return order.map((kind) => this.#nodes.of({ type: 'kind', kind }));
  }

  #refresh(names: ReadonlySet<string> | undefined): void {
    if (!names) return this.#changed.fire(undefined);
    for (const account of names) this.#changed.fire(this.#nodes.of({ type: 'account', account }));
  }

  #refreshAccounts(): void {
    const { accounts } = this.#services.accounts;
    if (accounts) this.#refresh(new Set(accounts.map(({ name }) => name)));
  }

  /** Looks at what this machine knows; contacts nobody. */
  #lookAgain(): void {
    const { accounts } = this.#services;
    if (!accounts.accounts) return;
    this.#refreshAccounts();
    accounts.load().catch((error: unknown) => reportFailure(this.#services, error, 'accounts'));
  }

  #ofKind(kind: string): AccountView[] {
    return (this.#services.accounts.accounts ?? []).filter((account) => account.kind === kind);
  }

  /** Lanes of this window at work, and whoever else on this machine holds the account. */
  #usedBy({ name, heldBy }: AccountView): string[] {
    const lanes = this.#services.lanes.runs.flatMap((run) => run.lanes);
    const own = lanes.filter((lane) => lane.account === name && isWorking(lane)).map((lane) => lane.lane);
    return [...new Set([...own, ...heldBy.map(holderName)])];
  }
}

/** Who holds an account, by the owner of its lease. */
function holderName(owner: string): string {
  const [room, name] = owner.split('/', 2);
  if (room === 'terminal') return l10n.t('a terminal');
  return room === 'run' ? 'ak run' : (name ?? owner);
}

function usesOf(runs: Services['lanes']['runs']): string {
  const lanes = runs.flatMap((run) => run.lanes).filter(isWorking);
  return JSON.stringify(lanes.map((lane) => [lane.lane, lane.account]));
}

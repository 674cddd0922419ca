import {
  env,
  EventEmitter,
  l10n,
  window,
  type Disposable,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { messageOf } from '../../core/agentKitError.ts';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { ChangedFile } from '../../engine/agentKitTypes.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import type { Services } from '../platform/services.ts';
import { isWorking, lanesThatNeedYou } from '../stores/attention.ts';
import { laneKey } from '../stores/diffRuns.ts';
import type { LanesChange } from '../stores/laneStore.ts';
import type { LaneNode } from './laneNode.ts';
import { laneTooltip } from './laneTooltip.ts';
import { laneTreeItem } from './laneTreeItem.ts';
import { minuteWhileVisible } from './minuteWhileVisible.ts';
import { NodeTable } from './nodeTable.ts';
import { needsYouText } from '../stores/describeRun.ts';

/** Runs, their lanes, and below a lane its attempts, checks and changed files. */
export class LanesTree implements TreeDataProvider<LaneNode>, Disposable {
  readonly #changed = new EventEmitter<LaneNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #services: Services;
  readonly #nodes = new NodeTable<LaneNode>();
  readonly #files = new Map<string, { stamp: string; files: ChangedFile[] }>();
  readonly #disposables: { dispose(): unknown }[];
  readonly view: TreeView<LaneNode>;

  constructor(services: Services) {
    this.#services = services;
    this.view = window.createTreeView('agentkit.lanes', { treeDataProvider: this, showCollapseAll: true });
    this.#disposables = [
      this.view,
      this.#changed,
      services.lanes.onDidChange((change) => this.#follow(change)),
      services.lanes.onDidFail((message) => {
        if (message !== undefined) services.log.warn(`lanes: ${message}`);
        this.view.message = message ?? '';
      }),
      minuteWhileVisible(this.view, () => this.#refreshTimes()),
    ];
  }

  getTreeItem(node: LaneNode): TreeItem {
    return laneTreeItem(node, this.#services.lanes, { t: l10n.t, now: Date.now(), locale: env.language });
  }

  /** The tooltip of a lane at work also tells what it takes of the machine: read when somebody looks, never before. */
  async resolveTreeItem(item: TreeItem, node: LaneNode): Promise<TreeItem> {
    if (node.type !== 'lane' || item.tooltip !== undefined) return item;
    const lane = this.#services.lanes.lane(node.lane, node.run);
    if (lane) item.tooltip = await laneTooltip(lane, this.#services);
    return item;
  }

  async getChildren(node?: LaneNode): Promise<LaneNode[]> {
    const { lanes } = this.#services;
    if (!node) return lanes.runs.map(({ run }) => this.#nodes.of({ type: 'run', run }));
    if (node.type === 'run') {
      return (lanes.run(node.run)?.lanes ?? []).map((lane) => this.#laneNode(lane));
    }
    if (node.type === 'lane') return this.#laneChildren(node);
    return node.type === 'files' ? this.#changedFiles(node) : [];
  }

  getParent(node: LaneNode): LaneNode | undefined {
    if (node.type === 'run') return undefined;
    const { run, lane } = node;
    if (node.type === 'lane') return this.#nodes.of({ type: 'run', run });
    return this.#nodes.of({ type: node.type === 'file' ? 'files' : 'lane', run, lane });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #laneChildren({ run, lane: id }: LaneNode & { type: 'lane' }): LaneNode[] {
    const lane = this.#services.lanes.lane(id, run);
    if (!lane) return [];
    const at = { run, lane: id };
    const nodes: LaneNode[] = [
      ...lane.attempts.map(({ n }) => ({ type: 'attempt' as const, ...at, attempt: n })),
      ...lane.gate.checks.map(({ name }) => ({
        type: 'check' as const,
        ...at,
        subject: 'lane' as const,
        check: name,
      })),
      ...lane.merge_gate.checks.map(({ name }) => ({
        type: 'check' as const,
        ...at,
        subject: 'merge' as const,
        check: name,
      })),
    ];
    if (lane.changes.files > 0) nodes.push({ type: 'files', ...at });
    return nodes.map((each) => this.#nodes.of(each));
  }

  /** Asks git once per state of the lane, however often the row refreshes. */
  async #changedFiles({ run, lane: id }: LaneNode & { type: 'files' }): Promise<LaneNode[]> {
    const lane = this.#services.lanes.lane(id, run);
    if (!lane) return [];
    const stamp = JSON.stringify([lane.head, lane.changes]);
    let known = this.#files.get(laneKey(lane));
    if (known?.stamp !== stamp) {
      try {
        known = { stamp, files: await (await this.#services.kit()).changedFiles(laneAddress(lane)) };
        this.#files.set(laneKey(lane), known);
      } catch (error) {
        this.#services.log.warn(`changed files of ${id}: ${messageOf(error)}`);
        return [];
      }
    }
    return known.files.map((file) => this.#nodes.of({ type: 'file', run, lane: id, file }));
  }

  #follow({ structure, runs, lanes, after }: LanesChange): void {
    setContextKey(
      'agentkit.hasLanes',
      after.some((run) => run.lanes.length > 0),
    );
    const needing = lanesThatNeedYou(after).length;
    this.view.badge =
      needing > 0 ? { value: needing, tooltip: needsYouText(needing, { t: l10n.t }) } : undefined;
    if (structure) return this.#changed.fire(undefined);
    const all = after.flatMap((run) => run.lanes);
    for (const lane of all) if (lanes.has(laneKey(lane))) this.#changed.fire(this.#laneNode(lane));
    for (const run of runs) this.#changed.fire(this.#nodes.of({ type: 'run', run }));
  }

  /** Times of work under way; the rest is near enough until its next change. */
  #refreshTimes(): void {
    for (const lane of this.#services.lanes.runs.flatMap((run) => run.lanes)) {
      if (isWorking(lane)) this.#changed.fire(this.#laneNode(lane));
    }
  }

  #laneNode({ run, lane }: { run: string; lane: string }): LaneNode {
    return this.#nodes.of({ type: 'lane', run, lane });
  }
}

import { commands, l10n, window, type Disposable } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import { laneAddress } from '../../core/lanes/laneAddress.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import type { Services } from '../platform/services.ts';
import { reviewResources } from './reviewResources.ts';

/** Opens lanes' changes side by side with their base and knows which lane the active editor reviews. */
export class Reviews implements Disposable {
  readonly #services: Pick<Services, 'kit' | 'lanes'>;
  /** Lane by the title of its review's tab; the editor tells no more about a multi-file diff. */
  readonly #byTitle = new Map<string, { run: string; lane: string }>();
  readonly #disposables: Disposable[];
  #mergeable = false;

  constructor(services: Pick<Services, 'kit' | 'lanes'>) {
    this.#services = services;
    this.#disposables = [
      services.lanes.onDidChange(() => this.#follow()),
      window.tabGroups.onDidChangeTabs(() => this.#follow()),
      window.tabGroups.onDidChangeTabGroups(() => this.#follow()),
    ];
  }

  /** @throws AgentKitError `not_found` when the lane has no changes */
  async open(lane: LaneView): Promise<void> {
    const { base, head, path } = lane;
    const kit = await this.#services.kit();
    const files = base && head && path ? await kit.changedFiles(laneAddress(lane)) : [];
    if (!base || !head || !path || files.length === 0) {
      throw new AgentKitError(
        'not_found',
        l10n.t('Lane {0} has no committed changes to review yet.', lane.lane),
      );
    }
    const title = l10n.t('Review {0} ({1})', lane.lane, head.slice(0, 7));
    this.#byTitle.set(title, { run: lane.run, lane: lane.lane });
    const resources = await reviewResources(kit, files, { base: base.sha, head, worktree: path });
    await commands.executeCommand('vscode.changes', title, resources);
    this.#follow();
  }

  /** The lane whose review is the active editor. */
  current(): LaneView | undefined {
    const label = window.tabGroups.activeTabGroup.activeTab?.label;
    if (label === undefined) return undefined;
    // The editor appends the number of files to the title.
    const found = [...this.#byTitle].find(([title]) => label === title || label.startsWith(`${title} (`));
    return found && this.#services.lanes.lane(found[1].lane, found[1].run);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #follow(): void {
    const mergeable = this.current()?.mergeable ?? false;
    if (mergeable === this.#mergeable) return;
    this.#mergeable = mergeable;
    setContextKey('agentkit.reviewMergeable', mergeable);
  }
}

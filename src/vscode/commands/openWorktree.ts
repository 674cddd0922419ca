import { dirname } from 'node:path';
import { commands, l10n, Uri, window, workspace, type Memento } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Services } from '../platform/services.ts';
import { DoubleClickGuard } from './doubleClickGuard.ts';

/** Opens lanes' worktrees in windows. */
export class WorktreeOpener {
  readonly #services: Services;
  readonly #memory: Memento;
  readonly #clicks = new DoubleClickGuard();

  constructor(services: Services, memory: Memento) {
    this.#services = services;
    this.#memory = memory;
  }

  async open(lane: LaneView): Promise<void> {
    const path = worktreeOf(lane);
    if (!this.#clicks.accepts(path, Date.now())) return;
    await this.#tellAboutTrust(dirname(path));
    const where =
      this.#services.settings.openLanesIn() === 'newWindow'
        ? { forceNewWindow: true }
        : { forceReuseWindow: true };
    await commands.executeCommand('vscode.openFolder', Uri.file(path), where);
  }

  /** Each worktree is a new folder to the editor, but all lie in one: trusting that once is enough. */
  async #tellAboutTrust(parent: string): Promise<void> {
    const key = `toldTrust ${parent}`;
    if (this.#memory.get<boolean>(key)) return;
    await this.#memory.update(key, true);
    this.#services.notify.info(
      l10n.t(
        'All lanes lie in {0}: trust that parent folder once, and each lane opens without a question.',
        parent,
      ),
    );
  }
}

/** Adds a lane's worktree as another folder of this window. */
export async function addToThisWindow(lane: LaneView): Promise<void> {
  const path = worktreeOf(lane);
  const add = l10n.t('Add');
  const answer = await window.showWarningMessage(
    l10n.t('Add the worktree of {0} to this window?', lane.lane),
    {
      modal: true,
      detail: l10n.t('A window that gets its second folder restarts its extensions. Running agents go on.'),
    },
    add,
  );
  if (answer !== add) return;
  const end = workspace.workspaceFolders?.length ?? 0;
  workspace.updateWorkspaceFolders(end, 0, { uri: Uri.file(path), name: lane.lane });
}

function worktreeOf(lane: LaneView): string {
  const [gone] = lane.warnings;
  if (lane.folder_gone && gone !== undefined) throw new AgentKitError('not_found', gone);
  if (lane.path !== null) return lane.path;
  throw new AgentKitError('not_found', l10n.t('Lane {0} has no worktree: it is {1}.', lane.lane, lane.state));
}

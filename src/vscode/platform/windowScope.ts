import { realpathSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Disposable, workspace } from 'vscode';
import type { RunView } from '../../core/lanes/laneView.ts';
import { setContextKey } from './contextKeys.ts';
import { findRepository, type FoundRepository } from './findRepository.ts';

/** Folder in git's common directory that holds everything of ours. */
const runsName = 'agentkit';
/** Git makes several files at once; how long after the first all are there, in milliseconds. */
const settleMs = 500;

/** What this window is open on, told from the file system alone. */
export class WindowScope {
  #repository: FoundRepository | undefined;

  /** Looks again, and lets the welcome texts know. */
  async read(): Promise<void> {
    this.#repository = undefined;
    for (const folder of fileFolders()) this.#repository ??= await findRepository(folder);
    const found = this.#repository;
    setContextKey('agentkit.repository', !found ? 'none' : found.hasCommits ? 'ready' : 'empty');
  }

  /** Whether the repository may have runs: our folder stands in git's common directory. */
  async hasRuns(): Promise<boolean> {
    const found = this.#repository;
    if (!found) return false;
    return stat(join(found.commonDir, runsName)).then(
      () => true,
      () => false,
    );
  }

  /**
   * Calls back when what is missing may have come: a repository, its first commit, or the first run from outside, as
   * by `ak` in a terminal.
   */
  whenMoreComes(call: () => void): Disposable {
    const found = this.#repository;
    const place = found?.commonDir ?? fileFolders()[0];
    if (place === undefined) return new Disposable(() => undefined);
    const awaited = !found ? '.git' : found.hasCommits ? runsName : undefined;
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(place, { persistent: false }, (_event, name) => {
      if (awaited === undefined || name === awaited) timer ??= setTimeout(call, settleMs);
    });
    // Without a watch the views come alive at their next use.
    watcher.on('error', () => watcher.close());
    return new Disposable(() => {
      watcher.close();
      clearTimeout(timer);
    });
  }

  /** Whether a folder of this window is that worktree. */
  isOpenOn(worktree: string | null): boolean {
    if (worktree === null) return false;
    return fileFolders().some((folder) => folder === worktree || realPath(folder) === worktree);
  }

  /** Whether this window was opened on the worktree of a lane; then another window or none drives its run. */
  isOnLane(runs: readonly RunView[]): boolean {
    const top = this.#repository?.linked ? realPath(this.#repository.top) : undefined;
    return top !== undefined && runs.some((run) => run.lanes.some(({ path }) => path === top));
  }
}

function fileFolders(): string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

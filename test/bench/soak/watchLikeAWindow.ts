import type { RunView } from '../../../src/core/lanes/laneView.ts';
import type { AgentKit } from '../../../src/engine/agentKitTypes.ts';
import { diffRuns } from '../../../src/vscode/stores/diffRuns.ts';

/** Least time between two readings, in milliseconds, as in a window. */
const quietMs = 250;

interface WatchedWindow {
  /** How often everything was read. */
  readonly reads: number;
  close(): void;
}

/** Reads all runs after each change and compares them with what was there, as a window of VS Code does. */
export function watchLikeAWindow(kit: AgentKit, onRead: (runs: readonly RunView[]) => void): WatchedWindow {
  let reads = 0;
  let readAt = 0;
  let before: readonly RunView[] = [];
  let timer: NodeJS.Timeout | undefined;
  const read = async (): Promise<void> => {
    // What changes during this reading asks for one more.
    timer = undefined;
    readAt = Date.now();
    const { runs, unreadable } = await kit.listRuns();
    if (unreadable[0] !== undefined) throw new Error(unreadable[0].message);
    reads += 1;
    diffRuns(before, runs);
    before = runs;
    onRead(runs);
  };
  const watch = kit.watchRuns(() => {
    timer ??= setTimeout(() => void read(), Math.max(0, readAt + quietMs - Date.now()));
  });
  return {
    get reads() {
      return reads;
    },
    close: () => {
      clearTimeout(timer);
      watch.close();
    },
  };
}

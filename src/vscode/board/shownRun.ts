import type { RunView } from '../../core/lanes/laneView.ts';

/** What the person last wanted to see on a plan's board. */
export type BoardChoice = { run: string } | 'plan' | undefined;

/** The plan's name as its text says it, also while the rest of it is broken. */
export function planNameIn(text: string): string | undefined {
  return /^name:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9._-]*)/m.exec(text)?.[1];
}

/**
 * The run that a plan's board shows: the chosen one, else the newest of its name while that concerns the person.
 *
 * @param runs Newest first.
 */
export function shownRun(
  planName: string | undefined,
  choice: BoardChoice,
  runs: readonly RunView[],
): RunView | undefined {
  if (choice === 'plan') return undefined;
  const chosen = runs.find(({ run }) => run === choice?.run);
  if (chosen) return chosen;
  const newest = runs.find(({ name }) => name === planName);
  return newest && concernsPerson(newest) ? newest : undefined;
}

/** A run goes on, could go on, or has lanes left to merge or to decide about. */
function concernsPerson({ status, lanes }: RunView): boolean {
  const isOver = status !== 'running' && status !== 'stopping' && status !== 'interrupted';
  return !isOver || lanes.some(({ state }) => state !== 'merged' && state !== 'dropped');
}

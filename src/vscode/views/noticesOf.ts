import type { LaneView, RunView } from '../../core/lanes/laneView.ts';
import { isActive, isOfAnotherWindow, needsYou } from '../stores/attention.ts';
import { laneKey } from '../stores/diffRuns.ts';

/** Something that a person is told once. */
export type Notice = { type: 'runEnded'; run: RunView } | { type: 'needsYou'; lanes: LaneView[] };

/**
 * What to tell after a change: the end of a run, and lanes that came to need the person. A run that ends tells
 * about its lanes itself, and nothing is told about the first reading of a window.
 */
export function noticesOf(before: readonly RunView[] | undefined, after: readonly RunView[]): Notice[] {
  if (before === undefined) return [];
  // The window that drives a run tells about it, others keep quiet; `ak` has no window, so each tells for it.
  const mine = after.filter((run) => !isOfAnotherWindow(run));
  const active = new Set(before.filter(isActive).map((run) => run.run));
  const ended = mine.filter((run) => active.has(run.run) && hasEnded(run));
  const needing = new Set(before.flatMap((run) => run.lanes.filter(needsYou).map(laneKey)));
  const lanes = mine
    .filter((run) => !hasEnded(run))
    .flatMap((run) => run.lanes.filter((lane) => needsYou(lane) && !needing.has(laneKey(lane))));
  const notices: Notice[] = ended.map((run) => ({ type: 'runEnded', run }));
  return lanes.length > 0 ? [...notices, { type: 'needsYou', lanes }] : notices;
}

/** The standing run only comes to rest: what is done in it by hand is told where it is asked for. */
function hasEnded(run: RunView): boolean {
  if (run.standing) return false;
  return run.status === 'done' || run.status === 'failed' || run.status === 'stopped';
}

import type { LaneView } from '../core/lanes/laneView.ts';
import { table } from './table.ts';

/** Lanes for people, a line each. */
export function laneTable(lanes: readonly LaneView[]): string {
  return table(
    lanes.map(({ lane, state, account, changes, why_not, folder_gone }) => [
      lane,
      state,
      account ?? '',
      changes.files === 0 ? '' : `+${changes.insertions} −${changes.deletions}`,
      [...(folder_gone ? ['its folder is gone'] : []), ...(state === 'merged' ? [] : why_not)].join(' — '),
    ]),
  );
}

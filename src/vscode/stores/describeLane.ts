import type { LaneView } from '../../core/lanes/laneView.ts';
import { formatSince } from '../platform/formatTime.ts';
import type { Render } from '../platform/render.ts';

/** A lane in one line: `running · demo/@one · 4m · +120 −8`. */
export function describeLane(lane: LaneView, render: Render): string {
  const parts = [
    render.t(lane.state),
    lane.account,
    lane.state === 'queued' ? '' : formatSince(lane.since, render),
    formatChanges(lane),
    lane.folder_gone && render.t('folder gone'),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Inserted and deleted lines with a true minus sign; empty when nothing changed. */
function formatChanges({ changes }: LaneView): string {
  return changes.files === 0 ? '' : `+${changes.insertions} −${changes.deletions}`;
}

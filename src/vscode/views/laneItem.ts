import type { LaneView } from '../../core/lanes/laneView.ts';
import type { ItemView } from './itemView.ts';
import { laneIcon } from './laneIcon.ts';
import { describeLane } from '../stores/describeLane.ts';
import { laneWords } from '../stores/laneWords.ts';
import type { Render } from '../platform/render.ts';

/** The row of a lane: `api   running · demo/@one · 4m · +120 −8`. */
export function laneItem(lane: LaneView, render: Render): ItemView {
  return {
    id: `lane ${lane.run} ${lane.lane}`,
    label: lane.lane,
    description: describeLane(lane, render),
    tooltip: tooltipOf(lane, render),
    icon: laneIcon(lane.state),
    words: ['lane', lane.state, ...laneWords(lane)],
    children: lane.attempts.length > 0 || lane.changes.files > 0 ? 'closed' : 'none',
  };
}

export function tooltipOf(lane: LaneView, render: Render): string {
  const { t } = render;
  const why = lane.state === 'merged' ? [] : lane.why_not;
  const lines = [
    lane.title === lane.lane ? lane.lane : `${lane.lane}: ${lane.title}`,
    describeLane(lane, render),
    lane.activity && t('Now: {0}', lane.activity),
    ...why,
    ...lane.warnings.map((warning) => t('Warning: {0}', warning)),
    lane.branch && t('Branch: {0}', lane.branch),
    lane.path && t('Worktree: {0}', lane.path),
    ...Object.entries(lane.ports).map(([name, port]) => `${name}=${port}`),
    lane.removed && t('Its worktree was removed; its branch is {0}.', t(lane.removed.branch)),
    lane.rescue && t('Rescued: ak lane restore {0}', lane.rescue),
    lane.paths.length > 0 && t('May write: {0}', lane.paths.join(', ')),
    lane.depends_on.length > 0 && t('After: {0}', lane.depends_on.join(', ')),
  ];
  return lines.filter(Boolean).join('\n');
}

import type { LaneState } from '../../core/lanes/laneState.ts';
import type { Icon } from './itemView.ts';

const icons: Record<LaneState, Icon> = {
  queued: { id: 'circle-outline' },
  open: { id: 'edit' },
  preparing: { id: 'loading~spin', color: 'charts.blue' },
  running: { id: 'sync~spin', color: 'charts.blue' },
  waiting: { id: 'bell-dot', color: 'list.warningForeground' },
  verifying: { id: 'beaker', color: 'charts.blue' },
  passed: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  reviewing: { id: 'eye', color: 'charts.blue' },
  ready: { id: 'pass-filled', color: 'testing.iconPassed' },
  merging: { id: 'loading~spin', color: 'charts.purple' },
  merged: { id: 'git-merge', color: 'charts.purple' },
  interrupted: { id: 'debug-disconnect', color: 'list.warningForeground' },
  blocked: { id: 'circle-slash', color: 'testing.iconFailed' },
  dropped: { id: 'trash', color: 'disabledForeground' },
};

export function laneIcon(state: LaneState): Icon {
  return icons[state];
}

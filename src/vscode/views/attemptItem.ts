import type { LaneView } from '../../core/lanes/laneView.ts';
import { formatLength } from '../platform/formatTime.ts';
import type { Icon, ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

type Attempt = LaneView['attempts'][number];

const icons: Record<string, Icon> = {
  running: { id: 'sync~spin', color: 'charts.blue' },
  succeeded: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  timeout: { id: 'watch', color: 'testing.iconFailed' },
  stopped: { id: 'stop-circle', color: 'disabledForeground' },
  lost: { id: 'debug-disconnect', color: 'list.warningForeground' },
};

/** The row of one attempt: `Attempt 1   demo/@one · succeeded · 34s`. */
export function attemptItem(lane: LaneView, attempt: Attempt, render: Render): ItemView {
  const end = attempt.ended_at === null ? render.now : Date.parse(attempt.ended_at);
  const length = formatLength(end - Date.parse(attempt.started_at));
  const exit = attempt.exit === null || attempt.exit === 0 ? '' : render.t('exit {0}', attempt.exit);
  const description = [attempt.account, render.t(attempt.outcome), exit, length].filter(Boolean).join(' · ');
  return {
    id: `attempt ${lane.run} ${lane.lane} ${attempt.n}`,
    label: render.t('Attempt {0}', attempt.n),
    description,
    tooltip: [description, attempt.message].filter(Boolean).join('\n'),
    icon: icons[attempt.outcome] ?? { id: 'question' },
    words: ['attempt', attempt.outcome],
    children: 'none',
  };
}

import type { CheckView, LaneView } from '../../core/lanes/laneView.ts';
import { formatLength } from '../platform/formatTime.ts';
import type { Icon, ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

/** Whether the check ran on the lane's own tree or on the tree that its merge makes. */
export type CheckSubject = 'lane' | 'merge';

const icons: Record<string, Icon> = {
  passed: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  timeout: { id: 'watch', color: 'testing.iconFailed' },
  interrupted: { id: 'debug-disconnect', color: 'list.warningForeground' },
};

/** The row of one check of a gate: `test   failed · 3 findings · 2s`. */
export function checkItem(lane: LaneView, subject: CheckSubject, check: CheckView, render: Render): ItemView {
  const { t } = render;
  const findings = check.findings.length + check.more_findings;
  const description = [
    t(check.status),
    findings === 0 ? '' : findings === 1 ? t('1 finding') : t('{0} findings', findings),
    formatLength(check.duration_s * 1000),
  ];
  return {
    id: `check ${lane.run} ${lane.lane} ${subject} ${check.name}`,
    label: subject === 'merge' ? t('{0} on the merged tree', check.name) : check.name,
    description: description.filter(Boolean).join(' · '),
    tooltip: [
      t('Gate check {0}: {1}', check.name, t(check.status)),
      check.message,
      ...check.findings
        .slice(0, 5)
        .map((each) => `${each.file ?? ''}:${each.line}:${each.column} ${each.message}`),
    ]
      .filter(Boolean)
      .join('\n'),
    icon: icons[check.status] ?? { id: 'question' },
    words: ['check', check.status],
    children: 'none',
  };
}

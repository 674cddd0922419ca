import type { RunView } from '../../core/lanes/laneView.ts';
import { describeRun } from '../stores/describeRun.ts';
import type { Icon, ItemView } from './itemView.ts';
import type { Render } from '../platform/render.ts';

const icons: Record<RunView['status'], Icon> = {
  running: { id: 'rocket', color: 'charts.blue' },
  stopping: { id: 'loading~spin', color: 'list.warningForeground' },
  done: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'testing.iconFailed' },
  stopped: { id: 'stop-circle', color: 'disabledForeground' },
  interrupted: { id: 'debug-disconnect', color: 'list.warningForeground' },
};

/** The row of a run: `billing   running · 3 lanes · 1 needs you · 12m`; open while it concerns the person. */
export function runItem(run: RunView, isCurrent: boolean, render: Render): ItemView {
  return {
    id: `run ${run.run}`,
    label: run.name,
    description: describeRun(run, render),
    tooltip: tooltipOf(run, render),
    icon: icons[run.status],
    words: ['run', run.status, ...runWords(run)],
    children: isCurrent ? 'open' : 'closed',
  };
}

function runWords(run: RunView): string[] {
  return [...(run.resumable ? ['resumable'] : []), ...(run.status === 'running' ? ['stoppable'] : [])];
}

function tooltipOf(run: RunView, render: Render): string {
  const { t } = render;
  const lines = [
    `${run.name} (${run.run})`,
    describeRun(run, render),
    t('Base: {0} at {1}', run.base.ref, run.base.sha.slice(0, 10)) +
      (run.base.how ? ` (${run.base.how})` : ''),
    ...(run.base.warnings ?? []).map((warning) => t('Warning: {0}', warning)),
    t('Merges into: {0}', run.target.ref || t('no branch yet')),
    t('Gate: {0}', run.gate.map((check) => check.name).join(', ') || t('none')),
    run.owner?.alive &&
      !run.owner.self &&
      t('Driven by another process: {0}, pid {1}', run.owner.head, run.owner.pid),
    run.target_moves.length > 0 &&
      t('{0} was moved from outside {1} times', run.target.ref, run.target_moves.length),
  ];
  return lines.filter(Boolean).join('\n');
}

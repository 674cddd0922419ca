import type { RunView } from '../../core/lanes/laneView.ts';
import { formatSince } from '../platform/formatTime.ts';
import type { Render } from '../platform/render.ts';
import { isActive, isOfAnotherWindow, isWorking, needsYou } from './attention.ts';

/** A run in one line: `running · 3 lanes · 2 running · 1 needs you · 12m`, and whether another window drives it. */
export function describeRun(run: RunView, render: Render): string {
  const { t } = render;
  const needing = run.lanes.filter(needsYou).length;
  const working = run.lanes.filter(isWorking).length;
  const parts = [
    t(run.status),
    run.lanes.length === 1 ? t('1 lane') : t('{0} lanes', run.lanes.length),
    working > 0 ? t('{0} running', working) : '',
    needing > 0 ? needsYouText(needing, render) : '',
    isActive(run) ? formatSince(run.created_at, render) : t('{0} ago', formatSince(run.updated_at, render)),
    isActive(run) && isOfAnotherWindow(run) ? t('driven by another window') : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

export function needsYouText(count: number, { t }: Pick<Render, 't'>): string {
  return count === 1 ? t('1 needs you') : t('{0} need you', count);
}

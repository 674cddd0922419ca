import type { RunView } from '../../core/lanes/laneView.ts';
import { currentRuns, isWorking, lanesThatNeedYou } from '../stores/attention.ts';
import type { Render } from '../platform/render.ts';
import { needsYouText } from '../stores/describeRun.ts';

/** Text of the status bar, `$(rocket) 3 running · 1 needs you`; undefined when there is nothing to tell. */
export function statusText(runs: readonly RunView[], render: Pick<Render, 't'>): string | undefined {
  const { t } = render;
  const lanes = currentRuns(runs).flatMap((run) => run.lanes);
  if (lanes.length === 0) return undefined;
  const running = lanes.filter(isWorking).length;
  const ready = lanes.filter((lane) => lane.mergeable).length;
  const needing = lanesThatNeedYou(runs).length;
  const parts = [
    running > 0 && t('{0} running', running),
    ready > 0 && t('{0} ready', ready),
    needing > 0 && needsYouText(needing, render),
  ].filter(Boolean);
  return `$(rocket) ${parts.join(' · ') || t('all quiet')}`;
}

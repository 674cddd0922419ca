import { CancellationError, env, l10n, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { LaneView } from '../../core/lanes/laneView.ts';
import type { Services } from '../platform/services.ts';
import { describeLane } from '../stores/describeLane.ts';
import { laneWords, type LaneWord } from '../stores/laneWords.ts';
import { laneArgument } from './laneArgument.ts';

/**
 * The lane that an argument names, else the one that the person picks among those that have the word.
 * @throws AgentKitError `refused` before trust, `not_found` when there is none; CancellationError
 */
export async function chooseLane(services: Services, argument: unknown, word: LaneWord): Promise<LaneView> {
  services.requireTrust();
  const ref = laneArgument(argument);
  if (ref) {
    const lane = services.lanes.lane(ref.lane, ref.run);
    if (lane) return lane;
    throw new AgentKitError('not_found', l10n.t('There is no lane {0} any more.', ref.lane));
  }
  const render = { t: l10n.t, now: Date.now(), locale: env.language };
  const lanes = services.lanes.runs.flatMap((run) => run.lanes);
  const fitting = lanes.filter((lane) => laneWords(lane).includes(word));
  if (fitting.length === 0) throw new AgentKitError('not_found', noneFits[word]());
  const items = fitting.map((lane) => ({
    label: lane.lane,
    description: describeLane(lane, render),
    detail: lane.title,
    lane,
  }));
  const picked = await window.showQuickPick(items, {
    placeHolder: l10n.t('Choose a lane'),
    matchOnDescription: true,
  });
  if (!picked) throw new CancellationError();
  return picked.lane;
}

const noneFits: Record<LaneWord, () => string> = {
  worktree: () => l10n.t('No lane has a worktree yet.'),
  attempted: () => l10n.t('No agent has been started in a lane yet.'),
  changed: () => l10n.t('No lane has changes to review.'),
  mergeable: () => l10n.t('No lane can be merged now: its gate must have passed on its newest commit.'),
  stoppable: () => l10n.t('No lane is running.'),
  retryable: () => l10n.t('No lane has failed, was interrupted or is blocked.'),
  tellable: () => l10n.t('No lane has an agent whose session could go on.'),
  discardable: () => l10n.t('There is no lane at rest that could be discarded.'),
  gateable: () => l10n.t('No lane is at rest, so that its gate could run.'),
};

import { CancellationError, env, l10n, window } from 'vscode';
import { AgentKitError } from '../../core/agentKitError.ts';
import type { RunView } from '../../core/lanes/laneView.ts';
import type { Services } from '../platform/services.ts';
import { describeRun } from '../stores/describeRun.ts';
import { runArgument } from './laneArgument.ts';

/**
 * The run that an argument names, else the only fitting one, else the one that the person picks.
 * @throws AgentKitError `refused` before trust, `not_found` when there is none; CancellationError
 */
export async function chooseRun(
  services: Services,
  argument: unknown,
  fits: (run: RunView) => boolean,
  noneFits: string,
): Promise<RunView> {
  services.requireTrust();
  const id = runArgument(argument);
  if (id !== undefined) {
    const run = services.lanes.run(id);
    if (run) return run;
    throw new AgentKitError('not_found', l10n.t('There is no run {0} any more.', id));
  }
  const fitting = services.lanes.runs.filter(fits);
  const [first] = fitting;
  if (!first) throw new AgentKitError('not_found', noneFits);
  if (fitting.length === 1) return first;
  const render = { t: l10n.t, now: Date.now(), locale: env.language };
  const items = fitting.map((run) => ({
    label: run.name,
    description: describeRun(run, render),
    detail: run.run,
    run,
  }));
  const picked = await window.showQuickPick(items, { placeHolder: l10n.t('Choose a run') });
  if (!picked) throw new CancellationError();
  return picked.run;
}

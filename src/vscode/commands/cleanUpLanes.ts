import { l10n, ProgressLocation, window } from 'vscode';
import type { CleanAnswer } from '../../engine/agentKit.ts';
import { plainMessage } from '../platform/plainMessage.ts';
import type { Services } from '../platform/services.ts';
import { asSentences } from './asSentences.ts';

/** Shows which worktrees of closed lanes can go, asks once, and takes them away. */
export async function cleanUpLanes(services: Services): Promise<void> {
  services.requireTrust();
  const { lanes } = await services.kit();
  const looking = { location: ProgressLocation.Window, title: l10n.t('Looking at closed lanes') };
  const look = () => window.withProgress(looking, async () => lanes.clean({ merged: false, dryRun: true }));
  let plan = await look();
  if (await adoptLost(services, plan)) plan = await look();
  if (plan.removed.length === 0) {
    const kept = plan.kept.length > 0 ? ` ${keptText(plan)}` : '';
    services.notify.info(l10n.t('There is nothing to clean up.') + kept);
    return;
  }
  const detail = [...plan.removed.map(({ lane, path }) => `${lane}: ${path}`), keptText(plan)].join('\n');
  const count = plan.removed.length;
  const clean = count === 1 ? l10n.t('Remove Worktree') : l10n.t('Remove Worktrees');
  const question =
    count === 1
      ? l10n.t('Remove the worktree of a closed lane? What is in it is rescued first.')
      : l10n.t('Remove the worktrees of {0} closed lanes? What is in them is rescued first.', count);
  const answer = await window.showWarningMessage(
    question,
    { modal: true, detail: plainMessage(detail) },
    clean,
  );
  if (answer !== clean) return;
  const done = await window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Removing worktrees of closed lanes') },
    async () => lanes.clean({ merged: false, dryRun: false }),
  );
  await services.lanes.refresh();
  const besides = done.removed.flatMap(({ lane, warnings }) => warnings.map((each) => `${lane}: ${each}`));
  const left = done.left.map(({ path, why }) => `${path}: ${why}`);
  const told = [keptText(done), ...besides, ...left, ...done.broken];
  const text = told.filter((line) => line !== '').join('\n');
  if (text === '') services.notify.info(l10n.t('Removed worktrees: {0}.', done.removed.length));
  else services.notify.warn(l10n.t('Removed worktrees: {0}. {1}', done.removed.length, text));
}

/** Offers worktrees whose run is lost as lanes by hand. Whether that was taken. */
async function adoptLost(services: Services, { kept }: CleanAnswer): Promise<boolean> {
  const paths = kept.flatMap(({ adoptable, path }) => (adoptable && path !== null ? path : []));
  if (paths.length === 0) return false;
  const adopt = l10n.t('Make Lanes of Them');
  const answer = await window.showWarningMessage(
    l10n.t(
      'Worktrees of AgentKit whose run is lost: {0}. Make them lanes by hand, as they stand?',
      paths.length,
    ),
    { modal: true, detail: plainMessage(paths.join('\n')) },
    adopt,
  );
  if (answer !== adopt) return false;
  const made = await (await services.kit()).lanes.adopt(paths);
  await services.lanes.refresh();
  const failed = made.filter(({ state }) => state !== 'open');
  const names = made.map(({ lane }) => lane).join(', ');
  if (failed.length === 0) services.notify.info(l10n.t('Lanes by hand: {0}.', names));
  else services.notify.warn(failed.map(({ lane, why_not }) => `${lane}: ${asSentences(why_not)}`).join('\n'));
  return true;
}

function keptText({ kept }: CleanAnswer): string {
  return kept.map(({ lane, reasons }) => l10n.t('{0} is kept: {1}', lane, asSentences(reasons))).join('\n');
}
